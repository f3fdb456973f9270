package dev.lanekeeper.benchmarks.locks;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A fair semaphore per key in a plain map that one monitor guards, counting its users. Thread-safe. */
final class SynchronizedRegistry implements KeyLock<SynchronizedRegistry.Turn> {
    private final Map<String, Turn> turns = new HashMap<>();

    /** Users are counted under the monitor of the map. */
    static final class Turn extends Semaphore {
        private static final long serialVersionUID = 1L;
        private int users;

        Turn() {
            super(1, true);
        }
    }

    @Override
    public Turn enter(String key) {
        Turn turn;
        synchronized (turns) {
            turn = turns.computeIfAbsent(key, k -> new Turn());
            turn.users++;
        }
        turn.acquireUninterruptibly();
        return turn;
    }

    @Override
    public void leave(String key, Turn turn) {
        turn.release();
        synchronized (turns) {
            if (--turn.users == 0) {
                turns.remove(key);
            }
        }
    }
}
