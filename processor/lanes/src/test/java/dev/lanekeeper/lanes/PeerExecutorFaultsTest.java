package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Faults that others had with executors and queues, and that are not tested elsewhere here: {@code docs/peer-faults.md} has all
 * of them. The name says whose fault it was, the test what is right.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class PeerExecutorFaultsTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(4);
    private final SteppingExecutor stepping = new SteppingExecutor();
    private final Lanes<String> lanes =
            Lanes.<String>builder().executor(stepping).build();
    private final List<String> ran = new ArrayList<>();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    private CompletableFuture<Boolean> task(String key) {
        return lanes.submit(key, () -> ran.add(key));
    }

    @Test
    @DisplayName("PC#793: the user's function ran on whatever thread happened to finish something")
    void tasksRunOnTheirExecutorWhoeverFreesTheirLane() throws Exception {
        Hold hold = lanes.hold("held");
        task("held");
        hold.close();
        CompletableFuture<Boolean> open = new CompletableFuture<>();
        lanes.submitAsync("open", () -> open);
        Hold[] of = {lanes.hold("bulk"), lanes.hold("other")};
        lanes.submitAll(List.of("bulk", "other"), () -> ran.add("bulk"));
        stepping.runAll();
        assertThat(ran).containsExactly("held");
        task("open");
        CompletableFuture<Pause> pause = lanes.pause(PauseMode.RUNNING, Duration.ofSeconds(30));
        task("paused");

        open.complete(true);
        of[1].close();
        of[0].close();
        Soon.result(pause).close();
        assertThat(ran).containsExactly("held"); // this thread has freed them all, and run none

        stepping.runAll();
        assertThat(ran).containsExactlyInAnyOrder("held", "open", "bulk", "paused");
    }

    @Test
    @DisplayName("decaton#96, #211: a completion that came twice, or from two threads, released somebody else's turn")
    void aStageThatReportsItsEndTwiceReleasesItsLaneOnce() {
        TwiceTold<String> stage = new TwiceTold<>();
        CompletableFuture<String> told = lanes.submitAsync("a", () -> stage);
        CompletableFuture<String> never = new CompletableFuture<>();
        lanes.submitAsync("a", () -> never);
        task("a");
        stepping.runAll();

        stage.tell("first", null);
        stage.tell(null, new AssertionError("second"));
        stepping.runAll();
        stage.tell("third", null);
        stepping.runAll();

        assertThat(told).isCompletedWithValue("first");
        assertThat(ran).isEmpty(); // the one in between still holds the lane
        never.complete("");
        stepping.runAll();
        assertThat(ran).containsExactly("a");
    }

    /** Tells whoever listens as often as one likes. */
    private static final class TwiceTold<T> extends CompletableFuture<T> {
        private @Nullable BiConsumer<? super T, ? super Throwable> listener;

        @Override
        public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
            listener = action;
            return this;
        }

        @SuppressWarnings("NullAway") // one of the two is null
        void tell(@Nullable T value, @Nullable Throwable failure) {
            Objects.requireNonNull(listener).accept(value, failure);
        }
    }

    @Test
    @DisplayName(
            "kpipe's and Responsive's cap: whoever brings work for a full lane was blocked, and with it all other keys")
    void aFloodedKeyBlocksNeitherWhoFloodsItNorOtherKeys() throws Exception {
        Lanes<Integer> flooded = Lanes.<Integer>builder().executor(pool).build();
        AtomicInteger done = new AtomicInteger();
        Hold hold = flooded.hold(0);
        for (int i = 0; i < 200_000; i++) { // returns at once, each time
            flooded.submit(0, done::incrementAndGet);
        }

        for (int key = 1; key <= 1_000; key++) {
            assertThat(Soon.result(flooded.submit(key, () -> "flows"))).isEqualTo("flows");
        }
        assertThat(done).hasValue(0);
        hold.close();
        Soon.closed(flooded);
        assertThat(done).hasValue(200_000);
    }

    @Test
    @DisplayName("f#119, f#487: work that is tried again for ever took all the room, and healthy keys starved")
    void lanesThatTryAgainForEverLeaveRoomForOthers() throws Exception {
        ExecutorService single = Executors.newSingleThreadExecutor();
        Lanes<String> poisoned = Lanes.<String>builder().executor(single).build();
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger attempts = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            poisoned.enqueue("poison " + i, new Ticket<>() {
                @Override
                protected void start() {
                    attempts.incrementAndGet();
                    boolean unused = enough.get() ? settle() : rearm();
                }
            });
        }
        Awaitility.await().until(() -> attempts.get() > 10_000);

        for (int i = 0; i < 100; i++) {
            assertThat(Soon.result(poisoned.submit("healthy", () -> "served"))).isEqualTo("served");
        }
        enough.set(true);
        Soon.closed(poisoned);
        single.shutdown();
    }

    @Test
    @DisplayName("PC's suite, lessKeysThanThreads: a hundred threads and four keys, everything in order")
    void aHundredThreadsOnFourKeysKeepTheOrder() throws Exception {
        ExecutorService hundred = Executors.newFixedThreadPool(100);
        Lanes<Integer> few = Lanes.<Integer>builder().executor(hundred).build();

        KeyOrderLedger<Integer> ledger = OrderCheck.threaded(few::submitAsync, pool, 8, 4, 12_500);
        Soon.closed(few);

        assertThat(ledger.comparisons()).isGreaterThan(90_000);
        ledger.assertClean();
        hundred.shutdown();
    }

    @Test
    @DisplayName(
            "caffeine#729, #960, simulacron#69: work inside a map's compute came back to the map: livelock, recursive update")
    void tasksOfKeysInOneBinOfTheMapMayCallEachOther() throws Exception {
        Lanes<Colliding> recursive = Lanes.<Colliding>builder((a, b) -> Integer.compare(a.id(), b.id()))
                .executor(Runnable::run) // inside submit: nothing else is between the two
                .build();
        AtomicInteger deepest = new AtomicInteger();
        nest(recursive, 0, deepest);

        assertThat(deepest).hasValue(50);
        assertThat(recursive.view().live()).isZero();
    }

    private static void nest(Lanes<Colliding> recursive, int depth, AtomicInteger deepest) {
        if (depth < 50) {
            recursive.submit(new Colliding(depth), () -> {
                nest(recursive, depth + 1, deepest);
                return deepest.incrementAndGet();
            });
        }
    }

    /** All in one bin. */
    private record Colliding(int id) {
        @Override
        public int hashCode() {
            return 7;
        }
    }

    @Test
    @DisplayName(
            "PC, fork#267: a hook of the user's that threw left bookkeeping undone, and the lane and all else stuck")
    void whateverAHookOfATicketThrowsItsLaneAndItsWorkerGoOn() {
        for (Hook hook : Hook.values()) {
            lanes.enqueue("a", new Throwing(hook));
            lanes.enqueueAll(List.of("a", "b"), new Throwing(hook));
            task("a");
            task("b");
        }
        List<Throwable> reported = withHandler(stepping::runAll);
        stepping.runAll();

        assertThat(ran).hasSize(2 * Hook.values().length);
        assertThat(lanes.view().live()).isZero();
        assertThat(reported)
                .hasSize(2 * (Hook.values().length - 1)) // nothing is refused here
                .allMatch(each -> each instanceof StackOverflowError);
    }

    @Test
    @DisplayName("PC, fork#267: and when the executor refuses")
    void whateverAHookOfARefusedTicketThrowsNothingIsLeft() {
        Lanes<String> refused = Lanes.<String>builder()
                .executor(task -> {
                    throw new RejectedExecutionException("no");
                })
                .build();

        List<Throwable> reported = withHandler(() -> {
            refused.enqueue("a", new Throwing(Hook.REJECTED));
            refused.enqueue("a", new Throwing(Hook.RELEASED));
        });

        assertThat(refused.submit("a", () -> "refused")).isCompletedExceptionally();
        assertThat(refused.view().live()).isZero();
        assertThat(reported).hasSize(2);
    }

    private static List<Throwable> withHandler(Runnable body) {
        Thread thread = Thread.currentThread();
        List<Throwable> reported = new ArrayList<>();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((same, failure) -> {
            reported.add(failure);
            throw new IllegalStateException("even this one fails");
        });
        try {
            body.run();
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        return reported;
    }

    private enum Hook {
        START,
        CANCELLED,
        RELEASED,
        REJECTED,
        TELLS_OTHERS
    }

    private static final class Throwing extends Ticket<String> {
        private final Hook hook;

        Throwing(Hook hook) {
            this.hook = hook;
        }

        private void at(Hook here) {
            if (here == hook) {
                throw new StackOverflowError("thrown by a hook");
            }
        }

        @Override
        protected void start() {
            at(Hook.START);
            settle();
        }

        @Override
        protected boolean cancelled() {
            at(Hook.CANCELLED);
            return false;
        }

        @Override
        protected boolean tellsOthers() {
            at(Hook.TELLS_OTHERS);
            return false;
        }

        @Override
        protected void released() {
            at(Hook.RELEASED);
        }

        @Override
        protected void rejected(Throwable cause) {
            at(Hook.REJECTED);
        }
    }

    @Test
    @DisplayName(
            "OpenTelemetry's result code, PC#857: strangers were called under a lock, and waited for one who needs it")
    void whoeverIsCalledMayWaitForAnotherThreadThatUsesTheLanes() throws Exception {
        AtomicInteger executions = new AtomicInteger();
        Lanes<String> shared = Lanes.<String>builder(this::comparedByAStranger)
                .executor(task -> {
                    if (executions.incrementAndGet() < 100) { // what this does goes to the executor too
                        use("executor");
                    }
                    pool.execute(task);
                })
                .build();
        used = shared;
        CountDownLatch called = new CountDownLatch(7);
        Runnable stranger = () -> {
            use("stranger " + called.getCount());
            called.countDown();
        };
        shared.submit("a", () -> {
            stranger.run();
            return true;
        });
        shared.submit("a", () -> true).thenRun(stranger);
        shared.submitAll(List.of("c", "b", "a"), () -> true).whenComplete((value, failure) -> stranger.run());
        shared.acquire("a").thenAccept(hold -> {
            stranger.run();
            hold.close();
        });
        shared.acquireAll(List.of("b", "a")).thenAccept(hold -> {
            stranger.run();
            hold.close();
        });
        shared.submit("a", () -> true).cancel(false);
        shared.pause(PauseMode.SUBMITTED, Duration.ofSeconds(30)).thenAccept(pause -> {
            stranger.run();
            pause.close();
        });
        CompletableFuture<Pause> givenUp = shared.pause(PauseMode.RUNNING, Duration.ofDays(1));
        givenUp.whenComplete((pause, failure) -> {
            stranger.run();
            if (pause != null) { // held before it could be given up
                pause.close();
            }
        });
        givenUp.cancel(false);

        Soon.reached(called);
        used = null; // nothing more is begun
        Soon.closed(shared);
    }

    private volatile @Nullable Lanes<String> used;

    private int comparedByAStranger(String one, String other) {
        use("comparator");
        return one.compareTo(other);
    }

    /** On another thread, every operation that could need a lock; this thread waits until it is through. */
    private void use(String who) {
        Lanes<String> shared = used;
        if (shared == null || Thread.currentThread().getName().startsWith("user of lanes")) {
            return;
        }
        Thread user = new Thread(
                () -> {
                    shared.acquireAll(List.of("x " + who, "y " + who)).thenAccept(Hold::close);
                    CompletableFuture<Hold> hold = shared.acquire("z " + who);
                    if (!hold.cancel(false)) {
                        hold.thenAccept(Hold::close);
                    }
                    CompletableFuture<Pause> pause = shared.pause(PauseMode.RUNNING, Duration.ofDays(1));
                    if (!pause.cancel(false)) {
                        pause.thenAccept(Pause::close);
                    }
                    assertThat(shared.view().blockers()).isNotNull();
                },
                "user of lanes for " + who);
        user.start();
        try {
            Soon.ended(user);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
