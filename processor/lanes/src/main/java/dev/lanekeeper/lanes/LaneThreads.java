package dev.lanekeeper.lanes;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads for work that may block: virtual ones where the JVM has them (21 and later), platform daemons elsewhere. Found
 * at run time, since this is compiled for 17. Thread-safe.
 */
public final class LaneThreads {
    private static final int PLATFORM_THREADS = 256;
    private static final int IDLE_SECONDS = 10;

    private LaneThreads() {}

    /** Whether {@link #factory} makes virtual threads. */
    public static boolean virtual() {
        return Runtime.version().feature() >= 21; // 19 and 20 have them as a preview only
    }

    /** Makes threads named {@code name-0}, {@code name-1}, and so on. */
    public static ThreadFactory factory(String name) {
        ThreadFactory virtual = virtualFactory(name + "-");
        return virtual != null ? virtual : platformFactory(name + "-");
    }

    /** A pool of those threads, with as many as there is work for if they are virtual. */
    static ExecutorService pool(String name) {
        ThreadFactory factory = factory(name);
        if (virtual()) {
            return new ThreadPoolExecutor(
                    0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
        }
        ThreadPoolExecutor bounded = new ThreadPoolExecutor(
                PLATFORM_THREADS,
                PLATFORM_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                factory);
        bounded.allowCoreThreadTimeOut(true);
        return bounded;
    }

    private static ThreadFactory platformFactory(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static @Nullable ThreadFactory virtualFactory(String prefix) {
        if (!virtual()) {
            return null;
        }
        try { // Thread.ofVirtual().name(prefix, 0).factory()
            Class<?> type = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Method named = type.getMethod("name", String.class, long.class);
            return (ThreadFactory) type.getMethod("factory").invoke(named.invoke(builder, prefix, 0L));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("virtual threads are part of Java 21 and later", e);
        }
    }
}
