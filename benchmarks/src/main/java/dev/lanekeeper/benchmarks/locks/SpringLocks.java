package dev.lanekeeper.benchmarks.locks;

import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.DefaultLockRegistry;

/** Spring Integration's registry in memory: a fixed array of locks, chosen by hash. Thread-safe. */
final class SpringLocks implements KeyLock<Lock> {
    private final DefaultLockRegistry registry;

    SpringLocks(DefaultLockRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Lock enter(String key) {
        Lock lock = registry.obtain(key);
        lock.lock();
        return lock;
    }

    @Override
    public void leave(String key, Lock lock) {
        lock.unlock();
    }
}
