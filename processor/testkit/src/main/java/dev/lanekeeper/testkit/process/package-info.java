/**
 * Other JVMs that a test starts, to kill, suspend and read: what no thread of the test's own JVM can stand for.
 *
 * <p>Start at {@link dev.lanekeeper.testkit.process.ChildJvms}. Called from the test's threads; one thread per child
 * copies its output. It must not know what the children do.
 */
@NullMarked
package dev.lanekeeper.testkit.process;

import org.jspecify.annotations.NullMarked;
