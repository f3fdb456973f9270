/** Tests of the room of the same name. */
@NullMarked
package dev.lanekeeper.demo.report;

import org.jspecify.annotations.NullMarked;
