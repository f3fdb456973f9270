package dev.lanekeeper.benchmarks.locks;

import com.google.common.util.concurrent.Striped;
import java.util.concurrent.locks.Lock;

/** Guava's stripes: unrelated keys may share a lock. Thread-safe. */
final class StripedLocks implements KeyLock<Lock> {
    private final Striped<Lock> stripes;

    StripedLocks(Striped<Lock> stripes) {
        this.stripes = stripes;
    }

    @Override
    public Lock enter(String key) {
        Lock lock = stripes.get(key);
        lock.lock();
        return lock;
    }

    @Override
    public void leave(String key, Lock lock) {
        lock.unlock();
    }
}
