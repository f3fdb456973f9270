package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Faults that others had with locks, and that are not tested elsewhere here: {@code docs/peer-faults.md} has all of them. The
 * name says whose fault it was, the test what is right.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class PeerLockFaultsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final ExecutorService strangers = Executors.newCachedThreadPool(LaneThreads.factory("stranger"));
    private final Lanes<String> lanes = Lanes.<String>builder().executor(pool).build();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
        strangers.shutdownNow();
    }

    @Test
    @DisplayName("Curator's mutex, redisson#2224, #3580: only the thread that took a lock could give it back")
    void whatIsTakenOnOneThreadIsGivenBackOnAnother() throws Exception {
        for (int i = 0; i < 500; i++) { // the strangers' threads are virtual where the JVM has them
            boolean there = i % 2 == 0;
            Hold hold = there ? strangers.submit(() -> lanes.hold("a", LONG)).get() : lanes.hold("a", LONG);
            CompletableFuture<Boolean> next = lanes.submit("a", () -> true);
            assertThat(next).isNotDone();

            if (there) {
                hold.close();
            } else {
                strangers.submit(hold::close).get();
            }
            assertThat(Soon.result(next)).isTrue();
        }
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    @DisplayName("Re-entrant locks: a second request of the same thread was let in beside the first one's work")
    void theThreadThatHoldsALaneIsNobodySpecial() throws Exception {
        Hold hold = lanes.hold("a");

        assertThatThrownBy(() -> lanes.hold("a", Duration.ZERO)).isInstanceOf(TimeoutException.class);
        CompletableFuture<Hold> second = lanes.acquire("a");
        assertThat(second).isNotDone();
        hold.close();

        Soon.result(second).close();
        Soon.closed(lanes);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    @DisplayName("Curator's multi-lock: went on to acquire after one member had failed, in the order of the caller")
    void aBulkThatIsGivenUpHalfWayAcquiresNothingMore() throws Exception {
        List<String> keys = List.of("e", "b", "d", "a", "c");
        Hold second = lanes.hold("b");
        CompletableFuture<Hold> bulk = lanes.acquireAll(keys);
        Hold other = null;
        try {
            assertThat(bulk.completeExceptionally(new TimeoutException("of the caller")))
                    .isTrue();
            for (String key : List.of("a", "c", "d", "e")) {
                lanes.hold(key, LONG).close();
            }
            other = strangers.submit(() -> lanes.hold("c", LONG)).get();
        } finally {
            second.close(); // now it would have been its turn
        }

        lanes.hold("b", LONG).close();
        lanes.hold("a", LONG).close();
        other.close();
        Soon.closed(lanes);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    @DisplayName(
            "Sorting is not enough: bulks that overlap in a ring, with keys named twice, waited for each other for ever")
    void aRingOfBulksInAnyOrderWithDuplicatesEnds() throws Exception {
        List<List<String>> ring =
                List.of(List.of("a", "b", "a"), List.of("c", "b", "c", "b"), List.of("c", "a"), List.of("b", "a", "c"));
        CyclicBarrier start = new CyclicBarrier(ring.size());
        int[] plain = new int[3]; // guarded by a, b and c
        List<CompletableFuture<?>> threads = new ArrayList<>();
        for (List<String> keys : ring) {
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        try {
                            Soon.met(start);
                            for (int i = 0; i < 5_000; i++) {
                                lanes.submitAll(keys, () -> {
                                    for (String key : Set.copyOf(keys)) {
                                        plain[key.charAt(0) - 'a']++;
                                    }
                                    return true;
                                });
                            }
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    },
                    strangers));
        }
        for (CompletableFuture<?> thread : threads) {
            Soon.result(thread);
        }
        Soon.closed(lanes);

        assertThat(plain).containsExactly(15_000, 15_000, 15_000);
    }

    @Test
    @DisplayName(
            "pathscale/wt-dead#165, failsafe's bulkhead: who gave up waiting kept the entry, or was handed the permit")
    void thousandsWhoGaveUpLeaveNothingAndTakeNobodysTurn() throws Exception {
        int many = 20_000;
        List<Hold> holders = new ArrayList<>();
        List<CompletableFuture<String>> behind = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            String key = "entity " + i;
            holders.add(lanes.hold(key));
            giveUp(key, i);
            behind.add(lanes.submit(key, () -> key));
        }
        assertThat(lanes.view().live()).isEqualTo(many);

        for (Hold holder : holders) {
            holder.close();
        }

        for (int i = 0; i < many; i++) {
            assertThat(Soon.result(behind.get(i))).isEqualTo("entity " + i);
        }
        assertThat(lanes.view().live()).isZero();
    }

    private void giveUp(String key, int way) {
        switch (way % 4) {
            case 0 -> lanes.acquire(key).cancel(false);
            case 1 -> lanes.acquireAll(List.of(key, "free " + key)).completeExceptionally(new TimeoutException());
            case 2 -> assertThatThrownBy(() -> lanes.hold(key, Duration.ZERO)).isInstanceOf(TimeoutException.class);
            default -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> lanes.hold(key)).isInstanceOf(InterruptedException.class);
            }
        }
    }

    @Test
    @DisplayName(
            "PC#547, #606, smallrye#3403: what was counted for cancelled work was never given back, until all was full")
    void afterHundredsOfRoundsOfCancelledWorkThereIsAsMuchRoomAsBefore() throws Exception {
        for (int round = 0; round < 300; round++) {
            List<Hold> full = List.of(lanes.hold("a"), lanes.hold("b"));
            List<CompletableFuture<?>> queued = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                queued.add(lanes.submit("a", () -> "never"));
                queued.add(lanes.submitAll(List.of("b", "c"), () -> "never"));
                queued.add(lanes.acquire("b"));
            }
            CompletableFuture<Pause> pause = lanes.pause(PauseMode.RUNNING, LONG);
            Collections.reverse(queued);
            queued.forEach(each -> each.cancel(true));
            pause.cancel(false);
            full.forEach(Hold::close);
        }

        CyclicBarrier both = new CyclicBarrier(2); // two threads: both are free again
        CompletableFuture<Integer> one = lanes.submit("a", () -> both.await(30, TimeUnit.SECONDS));
        CompletableFuture<Integer> two = lanes.submit("b", () -> both.await(30, TimeUnit.SECONDS));
        Soon.result(one);
        Soon.result(two);
        assertThat(lanes.view().live()).isZero();
        assertThat(lanes.view().inFlight()).isZero();
        assertThat(lanes.view().queued()).isZero();
        Soon.result(lanes.pause(PauseMode.SUBMITTED, LONG)).close();
    }

    @Test
    @DisplayName("PC#617: one static registry, so that several instances in a JVM broke each other")
    void twoLanesOnOneExecutorKnowNothingOfEachOther() throws Exception {
        Lanes<String> others = Lanes.<String>builder().executor(pool).build();
        Hold hold = lanes.hold("a");
        Soon.result(others.acquire("a")).close();
        hold.close();

        Pause pause = Soon.result(lanes.pause(PauseMode.RUNNING, LONG));
        assertThat(Soon.result(others.submit("a", () -> "goes on"))).isEqualTo("goes on");
        pause.close();

        Soon.closed(others);
        assertThat(Soon.result(lanes.submit("a", () -> "is open"))).isEqualTo("is open");
    }

    @Test
    @DisplayName("PC#618, #821: looking at what goes on threw while it went on")
    void whoLooksWhileLanesComeAndGoSeesFiguresThatCanBe() throws Exception {
        AtomicInteger done = new AtomicInteger();
        int tasks = 50_000;
        CompletableFuture<?> churn = CompletableFuture.runAsync(
                () -> {
                    for (int i = 0; i < tasks; i++) {
                        lanes.submit("key " + i % 50, done::incrementAndGet);
                    }
                },
                strangers);

        do {
            assertThat(lanes.view().inFlight()).isBetween(0, 50);
            assertThat(lanes.view().queued()).isBetween(0L, (long) tasks);
            assertThat(lanes.view().longest(3)).hasSizeLessThanOrEqualTo(3);
            assertThat(lanes.view().blockers()).allMatch(each -> !each.age().isNegative());
        } while (!churn.isDone() || done.get() < tasks);

        Soon.closed(lanes);
        assertThat(lanes.view().longest(1)).isEmpty();
    }
}
