package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An interrupt is for the thread, and so for the executor that owns it: the next task of the lane is not to see it, and
 * the lane is not to swallow it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesInterruptTest {
    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private final AtomicInteger leftInterrupted = new AtomicInteger();
    private final Lanes<String> lanes = Lanes.<String>builder()
            .executor(task -> pool.execute(() -> {
                task.run();
                leftInterrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
            }))
            .build();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    private CountDownLatch gateOfLane() {
        CountDownLatch gate = new CountDownLatch(1);
        lanes.submit("a", () -> {
            Soon.reached(gate);
            return true;
        });
        return gate;
    }

    private CompletableFuture<Thread> interruptsItself() {
        return lanes.submit("a", () -> {
            Thread.currentThread().interrupt();
            return Thread.currentThread();
        });
    }

    private CompletableFuture<Boolean> seesInterrupt() {
        return lanes.submit("a", () -> Thread.currentThread().isInterrupted());
    }

    @Test
    void anInterruptThatATaskLeavesIsForTheExecutorAndNotForTheNextTask() throws Exception {
        CountDownLatch gate = gateOfLane();
        interruptsItself();
        CompletableFuture<Boolean> next = seesInterrupt();
        gate.countDown();

        assertThat(Soon.result(next)).isFalse();
        assertThat(leftInterrupted).hasValue(1);
    }

    @Test
    void anInterruptOfTheLastTaskReachesTheExecutorToo() throws Exception {
        Soon.result(interruptsItself());
        Soon.result(pool.submit(() -> true));

        assertThat(leftInterrupted).hasValue(1);
    }

    @Test
    void anInterruptFromOutsideEndsTheWaitOfTheTaskThatRuns() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = lanes.submit("a", () -> {
            thread.complete(Thread.currentThread());
            never.await();
            return true;
        });
        CompletableFuture<Boolean> next = seesInterrupt();

        Soon.result(thread).interrupt();

        assertThat(Soon.failure(waiting)).isInstanceOf(InterruptedException.class);
        assertThat(Soon.result(next)).isFalse();
    }
}
