/** Proof that the codec keeps what it reads and refuses the rest in words a user understands. */
@NullMarked
package dev.lanekeeper.message;

import org.jspecify.annotations.NullMarked;
