package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tasks may wait for: any lane but their own. */
@ExtendWith(Seed.class)
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesWaitTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final Lanes<String> lanes = Lanes.<String>builder().executor(pool).build();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    private interface Wait {
        Object on(CompletableFuture<String> future) throws Exception;
    }

    private void assertRefused(Wait wait) throws Exception {
        CompletableFuture<Object> waiting =
                lanes.submit("a", () -> wait.on(lanes.submit("a", () -> "behind the one that waits")));

        assertThat(Soon.failure(waiting))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lane a")
                .hasMessageContaining("waits for another task of the same lane");
        assertThat(Soon.result(lanes.submit("a", () -> "goes on"))).isEqualTo("goes on");
    }

    @Test
    void aTaskThatWaitsForItsOwnLaneIsRefused() throws Exception {
        assertRefused(CompletableFuture::join);
        assertRefused(CompletableFuture::get);
        assertRefused(future -> future.get(30, TimeUnit.SECONDS));
    }

    @Test
    void aTaskThatWaitsForItselfIsRefused() throws Exception {
        CompletableFuture<CompletableFuture<String>> self = new CompletableFuture<>();
        CompletableFuture<String> waiting =
                lanes.submit("a", () -> Soon.result(self).join());
        self.complete(waiting);

        assertThat(Soon.failure(waiting)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aTaskMayWaitForAnotherLane() throws Exception {
        CompletableFuture<String> waiting =
                lanes.submit("a", () -> lanes.submit("b", () -> "of b").join());

        assertThat(Soon.result(waiting)).isEqualTo("of b");
    }

    @Test
    void aTaskMayTakeAResultOfItsOwnLaneThatIsThere() throws Exception {
        CompletableFuture<String> earlier = lanes.submit("a", () -> "earlier");
        Soon.result(earlier);

        assertThat(Soon.result(lanes.submit("a", earlier::join))).isEqualTo("earlier");
    }

    @Test
    void aTaskThatSubmitsToItsOwnLaneIsFollowedByWhatItSubmitted() throws Exception {
        List<String> order = new ArrayList<>(); // guarded by the lane
        Callable<CompletableFuture<?>> outer = () -> {
            CompletableFuture<?> inner = lanes.submit("a", () -> order.add("inner"));
            order.add("outer");
            return inner;
        };

        Soon.result(Soon.result(lanes.submit("a", outer)));

        assertThat(order).containsExactly("outer", "inner");
    }

    @Test
    void whoeverWaitsForAFutureFindsTheLaneReleased() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            Soon.result(lanes.submit("a", () -> true));
            assertThat(lanes.view().live()).isZero();
        }
    }

    private interface Dependent {
        CompletableFuture<String> attach(CompletableFuture<String> first, CompletableFuture<String> second);
    }

    /** The dependent waits for the task behind its own: that one must have been handed to another thread. */
    @Test
    void aDependentMayWaitForTheNextTaskOfTheLane() throws Exception {
        assertMayWait((first, second) -> first.thenApply(value -> value + " " + second.join()));
        assertMayWait((first, second) ->
                CompletableFuture.allOf(first).thenApply(nothing -> first.join() + " " + second.join()));
        assertMayWait((first, second) -> CompletableFuture.completedFuture(" ")
                .thenCombine(first, (space, value) -> value + space + second.join()));
    }

    private void assertMayWait(Dependent dependent) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<String> first = lanes.submit("a", () -> {
            Soon.reached(gate);
            return "first";
        });
        CompletableFuture<String> second = lanes.submit("a", () -> "second");
        CompletableFuture<String> both = dependent.attach(first, second);
        gate.countDown();

        assertThat(Soon.result(both)).isEqualTo("first second");
    }

    /** The same, attached in the very moment in which the first task ends. */
    @Test
    void aDependentThatIsAttachedWhileATaskEndsMayWaitForTheNextTaskOfTheLane(RandomGenerator random) throws Exception {
        AtomicInteger ending = new AtomicInteger();
        for (int i = 1; i <= 60_000; i++) {
            int number = i;
            CompletableFuture<Integer> first = lanes.submit("a", () -> {
                ending.set(number);
                return 1;
            });
            CompletableFuture<Integer> second = lanes.submit("a", () -> 2);
            while (ending.get() != i) {
                Thread.onSpinWait();
            }
            for (int spin = random.nextInt(20); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            CompletableFuture<Integer> both = i % 2 == 0
                    ? first.thenApply(value -> value + second.join())
                    : CompletableFuture.completedFuture(0).thenCombine(first, (zero, value) -> value + second.join());

            assertThat(Soon.result(both)).isEqualTo(3);
        }
    }

    @Test
    void aTaskKnowsThatItIsOne() throws Exception {
        assertThat(Soon.result(lanes.submit("a", lanes::onTaskThread))).isTrue();
        assertThat(lanes.onTaskThread()).isFalse();
    }
}
