package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.Serial;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PC#25, PC f#267: user code that throws where nobody expects it. Neither a lane nor the commit ever sticks, and other
 * customers go on. See also HandlerFailureTest, BadRecordTest and ResultsTest for handlers, retries, deserializers, lane keys
 * and writers of results.
 */
@Timeout(60)
class UserCodeTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    /** An exception none of whose methods can be called. */
    private static final class Hostile extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new StackOverflowError("no cause");
        }

        @Override
        public String toString() {
            throw new NoClassDefFoundError("no words");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("no stack");
        }
    }

    private static final class HostileStage extends CompletionException {
        @Serial
        private static final long serialVersionUID = 1;

        HostileStage() {
            super("planned");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }

    /** Not from a stage: those of the JDK themselves can't be failed with it, as they want to hear its words. */
    private CompletionStage<?> hostileToTheBad(Delivery<String, String> delivery) throws Exception {
        if ("bad".equals(delivery.value())) {
            throw new Hostile();
        }
        return rig.puppet.async().handle(delivery);
    }

    @Test
    void anExceptionThatCantBeAskedAnythingIsAFailureLikeOthers() {
        rig.start(settings -> settings.asyncHandler(this::hostileToTheBad));
        rig.send("a=bad", "a=next", "b=other");
        rig.puppet.run("other").finish();
        rig.puppet.run("next").finish();
        rig.awaitCommitted(3);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.class", Hostile.class.getName());
    }

    @Test
    void soIsAWrappingThatDoesNotSayWhatIsInIt() {
        rig.startAsync();
        rig.send("a=bad", "a=next", "b=other");
        rig.puppet.run("other").finish();
        rig.puppet.run("bad").fail(new HostileStage());
        rig.puppet.run("next").finish();
        rig.awaitCommitted(3);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.class", HostileStage.class.getName());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void soItIsFromABlockingHandler(boolean fromAStage) {
        Throwable hostile = fromAStage ? new HostileStage() : new Hostile();
        rig.startBlocking();
        rig.send("a=bad", "a=next", "b=other");
        rig.puppet.run("other").finish();
        rig.puppet.run("bad").fail(hostile);
        rig.puppet.run("next").finish();
        rig.awaitCommitted(3);
    }

    @ParameterizedTest
    @EnumSource
    void itCanBeParkedOrStopAPartitionToo(OnFailure onFailure) {
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.retry(RetryPolicy.never())
                .failures(FailurePolicy.of(onFailure))
                .parkedRecords(HistoryLog.TOPIC)
                .parkingLog(new HistoryLog(rig, 1))
                .asyncHandler(this::hostileToTheBad));
        rig.send("a=bad", "a=next");
        switch (onFailure) {
            case SKIP_TO_DEAD_LETTERS -> rig.puppet.run("next");
            case PARK_KEY -> {
                rig.awaitCommitted(2);
                assertThat(keeper.view().parkedKeys().get(0).cause()).isEqualTo(Hostile.class.getName());
            }
            case STOP_PARTITION -> {
                await().until(() -> keeper.view().stoppedPartitions().size() == 1);
                assertThat(keeper.view().stoppedPartitions().get(0).cause()).isEqualTo(Hostile.class.getName());
            }
        }
    }

    /** Edge case 59: whatever it refuses with. */
    @Test
    void anExecutorThatBreaksLosesAndReordersNothing() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        AtomicInteger calls = new AtomicInteger();
        try {
            rig.start(settings -> settings.executor(task -> {
                        switch (calls.getAndIncrement() % 5) {
                            case 1 -> throw new IllegalStateException("planned");
                            case 3 -> throw new NoClassDefFoundError("planned");
                            default -> pool.execute(task);
                        }
                    })
                    .results(result -> List.of())
                    .asyncHandler(rig.puppet.async()));
            for (int i = 0; i < 20; i++) {
                rig.send("a=" + i, "b=" + (100 + i));
            }
            for (int i = 0; i < 20; i++) {
                rig.puppet.run("" + i).finish();
                rig.puppet.run("" + (100 + i)).finish();
            }
            rig.awaitCommitted(40);
        } finally {
            rig.close();
            pool.shutdown();
        }
        assertThat(rig.puppet.values().stream().filter(value -> value.length() < 3))
                .isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
    }

    /** There is nothing to go on with, so the engine ends, and says why, instead of standing still. */
    @Test
    void aClockThatThrowsEndsTheEngineVisibly() {
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.clock(() -> {
                    throw new IllegalStateException("no time");
                })
                .asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        assertThat(keeper.terminated())
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withMessageContaining("no time");
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
    }

    /** Whether the attempt count survives: it does not, and is never more than it was promised to be. */
    @Test
    void attemptsAreCountedAnewAfterARebalance() {
        rig.startAsync();
        rig.send("a=bad");
        rig.puppet.run("bad", 0).fail(new IllegalStateException("planned"));
        Puppet.Run second = rig.puppet.run("bad", 1);
        assertThat(second.delivery().attempt()).isEqualTo(2);
        rig.consumer.lose(P0);
        rig.consumer.assign(P0);
        rig.awaitPasses(2);
        second.fail(new IllegalStateException("planned"));
        assertThat(rig.puppet.run("bad", 2).delivery().attempt()).isEqualTo(1);
    }
}
