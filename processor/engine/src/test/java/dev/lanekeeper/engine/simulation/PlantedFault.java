package dev.lanekeeper.engine.simulation;

import static dev.lanekeeper.engine.simulation.history.Violation.Check.C1_EXCLUSION;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.C2_ORDER;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.C4_REPETITION;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.C5_COMMIT;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.C6_PAUSE;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.C7_BULK;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.C8_QUIESCENCE;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.C9_TERMINATION;
import static dev.lanekeeper.engine.simulation.history.Violation.Check.EXACTLY_ONCE;

import dev.lanekeeper.engine.LaneKeeperBuilder;
import dev.lanekeeper.engine.SteppedEngine;
import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.simulation.cluster.FakeCluster;
import dev.lanekeeper.engine.simulation.cluster.FakeConsumer;
import dev.lanekeeper.engine.simulation.cluster.FakeGroup;
import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.cluster.FakeTransactionalProducer;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * An engine that breaks a promise.
 *
 * @param noticedBy the checks of which one has to notice it first
 * @param sabotage for one world
 */
record PlantedFault(String name, Set<Check> noticedBy, Supplier<Sabotage> sabotage) {
    /** Makes one of the broken consumers. */
    private interface ConsumerMaker {
        FakeConsumer make(FakeCluster cluster, FakeGroup group, Host host, int mostRecords);
    }

    static Stream<PlantedFault> all() {
        return Stream.of(
                new PlantedFault(
                        "commits one beyond the frontier",
                        Set.of(C5_COMMIT),
                        () -> consuming(BrokenClients.CommitsTooMuch::new)),
                new PlantedFault(
                        "counts twice what is done ahead of the frontier",
                        Set.of(C5_COMMIT),
                        () -> consuming(BrokenClients.CountsTwice::new)),
                new PlantedFault(
                        "marks one record too many as done ahead",
                        Set.of(C5_COMMIT),
                        () -> consuming(BrokenClients.MarksTooMuch::new)),
                new PlantedFault(
                        "forgets what an earlier owner has done ahead",
                        Set.of(C4_REPETITION),
                        () -> consuming(BrokenClients.ForgetsMaps::new)),
                new PlantedFault(
                        "passes a record by",
                        Set.of(C2_ORDER, C5_COMMIT),
                        () -> consuming(BrokenClients.LosesRecords::new)),
                new PlantedFault(
                        "ignores that partitions are lost",
                        Set.of(C4_REPETITION),
                        () -> consuming(BrokenClients.HidesLosses::new)),
                new PlantedFault("agrees to a revocation at once", Set.of(C1_EXCLUSION), ImpatientEngine::new),
                new PlantedFault("has two lanes for a key", Set.of(C1_EXCLUSION, C2_ORDER), TwoLanes::new),
                new PlantedFault(
                        "frees the lane when the handler returns",
                        Set.of(C1_EXCLUSION, C2_ORDER, C5_COMMIT),
                        HastyHandler::new),
                new PlantedFault("does not wait for acknowledgements", Set.of(C2_ORDER, C5_COMMIT), HastySender::new),
                new PlantedFault(
                        "commits offsets outside of the transaction",
                        Set.of(C5_COMMIT),
                        () -> transacting(BrokenClients.CommitsOutside::new)),
                new PlantedFault(
                        "keeps outputs of an aborted transaction",
                        Set.of(EXACTLY_ONCE),
                        () -> transacting(BrokenClients.KeepsAborted::new)),
                new PlantedFault(
                        "handles one of a batch twice",
                        Set.of(C4_REPETITION),
                        () -> batching((batch, worker) -> {
                            worker.handle(batch);
                            worker.handle(batch.subList(batch.size() - 1, batch.size()));
                        })),
                new PlantedFault(
                        "handles those that wait ahead of whose turn it is",
                        Set.of(C2_ORDER),
                        () -> batching((batch, worker) -> {
                            for (int i = batch.size() - 1; i >= 0; i--) {
                                worker.handle(batch.subList(i, i + 1));
                            }
                        })),
                new PlantedFault(
                        "takes a batch for done that failed",
                        Set.of(C2_ORDER, C5_COMMIT),
                        () -> batching(PlantedFault::swallow)),
                new PlantedFault("grants a pause at once", Set.of(C6_PAUSE), HastyPause::new),
                new PlantedFault("goes on inside a pause", Set.of(C6_PAUSE), LeakyPause::new),
                new PlantedFault("leaves a key out of a bulk", Set.of(C7_BULK), LeakyBulk::new),
                new PlantedFault("forgets a task", Set.of(C8_QUIESCENCE, C9_TERMINATION), ForgetfulExecutor::new));
    }

    private static Sabotage consuming(ConsumerMaker maker) {
        return new Sabotage() {
            @Override
            public FakeConsumer consumer(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
                return maker.make(cluster, group, host, mostRecords);
            }
        };
    }

    /** Makes one of the broken producers. */
    private interface ProducerMaker {
        FakeTransactionalProducer make(FakeCluster cluster, Host host, String id);
    }

    private static Sabotage transacting(ProducerMaker maker) {
        return new Sabotage() {
            @Override
            public FakeTransactionalProducer transactional(FakeCluster cluster, Host host, String id) {
                return maker.make(cluster, host, id);
            }
        };
    }

    /** Handles a batch otherwise than it should. */
    private interface BatchBreaker {
        void handle(List<Delivery<String, String>> batch, BatchHandler<String, String> worker) throws Exception;
    }

    /** If it has several records. */
    private static Sabotage batching(BatchBreaker breaker) {
        return new Sabotage() {
            @Override
            public BatchHandler<String, String> batches(BatchHandler<String, String> worker) {
                return batch -> {
                    if (batch.size() == 1) {
                        worker.handle(batch);
                    } else {
                        breaker.handle(batch, worker);
                    }
                };
            }
        };
    }

    private static void swallow(List<Delivery<String, String>> batch, BatchHandler<String, String> worker) {
        try {
            worker.handle(batch);
        } catch (Exception e) {
            // the fault
        }
    }

    private record ImpatientEngine() implements Sabotage {
        @Override
        public LaneKeeperBuilder<String, String> settings(LaneKeeperBuilder<String, String> builder) {
            return builder.drainTimeout(Duration.ZERO);
        }
    }

    private record TwoLanes() implements Sabotage {
        @Override
        public LaneKeeperBuilder<String, String> settings(LaneKeeperBuilder<String, String> builder) {
            return builder.laneKey(record -> record.key() == null
                    ? null
                    : new byte[] {record.key()[record.key().length - 1], (byte) (record.offset() % 2)});
        }
    }

    private record HastyHandler() implements Sabotage {
        @Override
        public AsyncHandler<String, String> handler(AsyncHandler<String, String> worker) {
            return delivery -> {
                CompletionStage<?> unused = worker.handle(delivery);
                return CompletableFuture.completedFuture(null);
            };
        }
    }

    /** Says that it is held while it only begins to be. */
    private record HastyPause() implements Sabotage {
        @Override
        public CompletableFuture<Pause> pause(SteppedEngine engine, PauseMode mode, Duration timeout) {
            CompletableFuture<Pause> real = engine.pause(mode, timeout);
            return CompletableFuture.completedFuture(() -> {
                if (!real.cancel(false) && !real.isCompletedExceptionally()) {
                    real.join().close();
                }
            });
        }
    }

    /** Ends when it has begun. */
    private record LeakyPause() implements Sabotage {
        @Override
        public CompletableFuture<Pause> pause(SteppedEngine engine, PauseMode mode, Duration timeout) {
            return engine.pause(mode, timeout).thenApply(real -> {
                real.close();
                return () -> {};
            });
        }
    }

    /** Keeps all keys but the first. */
    private record LeakyBulk() implements Sabotage {
        @Override
        public CompletableFuture<Void> bulk(
                SteppedEngine engine, List<byte[]> keys, Supplier<CompletionStage<Void>> work) {
            return engine.bulk(keys.subList(1, keys.size()), work);
        }
    }

    private record HastySender() implements Sabotage {
        @Override
        public FakeProducer producer(FakeCluster cluster, Host host) {
            return new BrokenClients.HastyProducer(cluster, host);
        }
    }

    private static final class ForgetfulExecutor implements Sabotage {
        private int tasks;

        @Override
        public boolean forgets() {
            return ++tasks == 20;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
