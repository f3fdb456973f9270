/**
 * Small models of concurrent algorithms, and an explorer that tries every interleaving of their steps.
 *
 * <p>Start at {@link dev.lanekeeper.testkit.model.Explorer}. Nothing here starts a thread: the threads of a model are
 * numbers, and the explorer decides who moves. It must not know the algorithms, which live as models beside the tests of
 * the code they stand for.
 */
@NullMarked
package dev.lanekeeper.testkit.model;

import org.jspecify.annotations.NullMarked;
