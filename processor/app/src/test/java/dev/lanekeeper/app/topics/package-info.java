/** Tests of the package of the same name, and what they need. */
@NullMarked
package dev.lanekeeper.app.topics;

import org.jspecify.annotations.NullMarked;
