package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for what must happen, and gives up long after it should have. */
final class Soon {
    private static final long SECONDS = 30;

    private Soon() {}

    static void reached(CountDownLatch latch) {
        try {
            assertThat(latch.await(SECONDS, TimeUnit.SECONDS))
                    .as("latch reached")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void met(CyclicBarrier barrier) throws Exception {
        barrier.await(SECONDS, TimeUnit.SECONDS);
    }

    static void ended(Thread thread) throws InterruptedException {
        thread.join(TimeUnit.SECONDS.toMillis(SECONDS));
        assertThat(thread.isAlive()).as("%s still runs", thread).isFalse();
    }

    static void closed(Lanes<?> lanes) throws InterruptedException {
        assertThat(lanes.close(Duration.ofSeconds(SECONDS))).as("closed").isTrue();
    }

    static <T extends @Nullable Object> T result(Future<T> future) throws Exception {
        return future.get(SECONDS, TimeUnit.SECONDS);
    }

    /** What a future failed with, unwrapped. */
    static Throwable failure(Future<?> future) throws Exception {
        try {
            Object value = future.get(SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("did not fail but gave " + value);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return cause == null ? e : cause;
        }
    }
}
