/**
 * Proofs of the engine as a whole: first on a consumer and a producer that tests script, then on a broker.
 *
 * <p>Start at {@code EngineRig}, then {@code OrderAndCommitTest}; the tests that need a broker end in {@code IT}. Handlers run on worker
 * threads, so tests wait for conditions. It must not know the app.
 */
@NullMarked
package dev.lanekeeper.engine;

import org.jspecify.annotations.NullMarked;
