package dev.lanekeeper.benchmarks.locks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** A lock per key in a concurrent map, counting who uses it, so that the last to leave removes it. Thread-safe. */
final class RefCountedLocks implements KeyLock<RefCountedLocks.Counted> {
    private final ConcurrentHashMap<String, Counted> locks = new ConcurrentHashMap<>();

    /** Users are counted inside {@code compute}, which excludes by bin. */
    static final class Counted extends ReentrantLock {
        private static final long serialVersionUID = 1L;
        private int users;
    }

    @Override
    public Counted enter(String key) {
        Counted lock = locks.compute(key, (k, present) -> {
            Counted counted = present == null ? new Counted() : present;
            counted.users++;
            return counted;
        });
        lock.lock();
        return lock;
    }

    @Override
    public void leave(String key, Counted lock) {
        lock.unlock();
        locks.computeIfPresent(key, (k, present) -> --present.users == 0 ? null : present);
    }
}
