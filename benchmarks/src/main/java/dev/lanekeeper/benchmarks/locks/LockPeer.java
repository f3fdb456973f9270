package dev.lanekeeper.benchmarks.locks;

import com.google.common.util.concurrent.Striped;
import org.springframework.integration.support.locks.DefaultLockRegistry;

/** What is measured: the lanes, and what a team would have used in their place. */
public enum LockPeer {
    LANES("Lanes.hold", true) {
        @Override
        public KeyLock<?> create() {
            return new LaneHolds();
        }
    },
    REF_COUNTED("ref-counted lock in compute", true) {
        @Override
        public KeyLock<?> create() {
            return new RefCountedLocks();
        }
    },
    SYNCHRONIZED("synchronized registry", true) {
        @Override
        public KeyLock<?> create() {
            return new SynchronizedRegistry();
        }
    },
    STRIPED("Guava Striped.lock(1024)", false) {
        @Override
        public KeyLock<?> create() {
            return new StripedLocks(Striped.lock(1024));
        }
    },
    STRIPED_WEAK("Guava lazyWeakLock(1M)", false) {
        @Override
        public KeyLock<?> create() {
            return new StripedLocks(Striped.lazyWeakLock(1 << 20));
        }
    },
    SPRING("Spring DefaultLockRegistry", false) {
        @Override
        public KeyLock<?> create() {
            return new SpringLocks(new DefaultLockRegistry(1023));
        }
    };

    private final String title;
    private final boolean exact;

    LockPeer(String title, boolean exact) {
        this.title = title;
        this.exact = exact;
    }

    /** A new one, with no key in it. */
    public abstract KeyLock<?> create();

    /** How tables call it. */
    public String title() {
        return title;
    }

    /** Whether keys that have nothing to do with each other never share a lock. */
    public boolean exact() {
        return exact;
    }
}
