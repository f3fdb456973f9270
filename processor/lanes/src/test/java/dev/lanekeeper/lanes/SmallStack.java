package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread that has little room for recursion. */
final class SmallStack {
    private static final long BYTES = 256 * 1024;

    private SmallStack() {}

    static void run(Runnable task) throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, task, "small-stack", BYTES);
        thread.setUncaughtExceptionHandler((dead, thrown) -> failure.set(thrown));
        thread.start();
        Soon.ended(thread);
        assertThat(failure.get()).isNull();
    }
}
