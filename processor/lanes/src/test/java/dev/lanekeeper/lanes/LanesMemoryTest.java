package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Lanes leave nothing behind, on the heap or on the stack. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesMemoryTest {
    private static final int MILLION = 1_000_000;

    @Test
    void tenMillionKeysPassThroughAndLeaveNothing() throws Exception {
        int most = 20_000;
        Semaphore room = new Semaphore(most); // else the queue of the executor would be what grows
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Lanes<Integer> lanes = Lanes.<Integer>builder().executor(pool).build();
        pass(lanes, room, 0, MILLION); // until all that is loaded and sized once has been
        room.acquire(most);
        room.release(most);
        long before = usedBytes();

        pass(lanes, room, MILLION, 10 * MILLION);
        room.acquire(most);
        Soon.closed(lanes);

        assertThat(lanes.view().live()).isZero();
        assertThat(usedBytes() - before).as("bytes more than before").isLessThan(16L << 20);
        pool.shutdown();
    }

    @Test
    void aFutureThatIsKeptDoesNotKeepTheBody() throws Exception {
        Lanes<String> lanes = Lanes.<String>builder().executor(Runnable::run).build();
        List<WeakReference<byte[]>> used = new ArrayList<>();
        List<CompletableFuture<Integer>> kept = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            byte[] needed = new byte[1];
            used.add(new WeakReference<>(needed));
            kept.add(lanes.submit("a", () -> needed.length));
        }

        usedBytes();

        assertThat(used).allMatch(reference -> reference.get() == null);
        assertThat(kept).allMatch(CompletableFuture::isDone);
    }

    private static void pass(Lanes<Integer> lanes, Semaphore room, int from, int keys) throws InterruptedException {
        for (int key = from; key < from + keys; key++) {
            room.acquire();
            lanes.enqueue(key, new Ticket<>() {
                @Override
                protected void start() {
                    settle();
                }

                @Override
                protected void released() {
                    room.release();
                }
            });
        }
    }

    /** The least of some readings, each after a collection. */
    private static long usedBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    @Test
    void aMillionTasksOfOneKeyRunOnASmallStack() throws Exception {
        assertRunsOnSmallStack((lanes, ran) -> lanes.submit("a", ran::incrementAndGet));
    }

    @Test
    void aMillionStagesThatAreCompleteAlreadyRunOnASmallStack() throws Exception {
        assertRunsOnSmallStack(
                (lanes, ran) -> lanes.submitAsync("a", () -> CompletableFuture.completedFuture(ran.incrementAndGet())));
    }

    @Test
    void aMillionTasksWithDependentsRunOnASmallStack() throws Exception {
        assertRunsOnSmallStack((lanes, ran) -> lanes.submit("a", () -> true).thenRun(ran::incrementAndGet));
    }

    @Test
    void aMillionStagesThatDependentsCompleteRunOnASmallStack() throws Exception {
        assertRunsOnSmallStack((lanes, ran) -> {
            CompletableFuture<Boolean> before = new CompletableFuture<>();
            lanes.submit("b", () -> true).thenAccept(before::complete);
            lanes.submitAsync("a", () -> before.thenApply(value -> ran.incrementAndGet()));
        });
    }

    /** Each task submits the next one of its lane, from within or when its own future completes. */
    @Test
    void aMillionTasksThatSubmitEachOtherRunOnASmallStack() throws Exception {
        CountDownLatch all = new CountDownLatch(MILLION);
        List<Runnable> queue = new ArrayList<>(); // for one thread
        Lanes<String> lanes = Lanes.<String>builder().executor(queue::add).build();
        next(lanes, all);

        SmallStack.run(() -> runAll(queue));

        assertThat(all.getCount()).isZero();
        assertThat(lanes.view().live()).isZero();
    }

    private static void next(Lanes<String> lanes, CountDownLatch all) {
        Supplier<CompletionStage<Boolean>> task = () -> {
            all.countDown();
            if (all.getCount() > 0 && all.getCount() % 2 == 0) {
                next(lanes, all);
            }
            return CompletableFuture.completedFuture(all.getCount() % 2 != 0);
        };
        lanes.submitAsync("a", task).thenAccept(odd -> {
            if (odd) {
                next(lanes, all);
            }
        });
    }

    private interface Submit {
        void to(Lanes<String> lanes, AtomicInteger ran);
    }

    private static void assertRunsOnSmallStack(Submit submit) throws InterruptedException {
        List<Runnable> queue = new ArrayList<>();
        Lanes<String> lanes = Lanes.<String>builder().executor(queue::add).build();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < MILLION; i++) {
            submit.to(lanes, ran);
        }

        SmallStack.run(() -> runAll(queue));

        assertThat(ran).hasValue(MILLION);
        assertThat(lanes.view().live()).isZero();
    }

    /** Runs what is there and what that adds, in the order of arrival, on this thread. */
    private static void runAll(List<Runnable> queue) {
        while (!queue.isEmpty()) {
            List<Runnable> batch = List.copyOf(queue);
            queue.clear();
            batch.forEach(Runnable::run);
        }
    }
}
