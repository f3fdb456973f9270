package dev.lanekeeper.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.benchmarks.locks.KeyLock;
import dev.lanekeeper.benchmarks.locks.LockPeer;
import dev.lanekeeper.benchmarks.serial.SerialPeer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Readings of few keys, for their order of magnitude; a peer that forgets nothing must be found. */
class FootprintTest {
    private static final int KEYS = 100_000;
    private static final long NOTHING = 1 << 20;

    @Test
    void held_lanes_take_heap_and_leave_none() {
        assertThat(Footprint.held(LockPeer.LANES.create(), KEYS) / KEYS).isBetween(40L, 400L);
        assertThat(Footprint.left(LockPeer.LANES.create(), KEYS)).isLessThan(NOTHING);
    }

    @Test
    void waiting_tasks_take_heap_and_leave_none() throws InterruptedException {
        assertThat(Footprint.waiting(SerialPeer.LANES, KEYS) / KEYS).isBetween(40L, 800L);
        assertThat(Footprint.left(SerialPeer.LANES, KEYS)).isLessThan(NOTHING);
    }

    @Test
    void a_lock_that_forgets_no_key_is_found() {
        Map<String, long[]> kept = new ConcurrentHashMap<>();
        KeyLock<long[]> forgetful = new KeyLock<>() {
            @Override
            public long[] enter(String key) {
                return kept.computeIfAbsent(key, k -> new long[8]);
            }

            @Override
            public void leave(String key, long[] token) {}
        };
        assertThat(Footprint.left(forgetful, KEYS)).isGreaterThan(NOTHING);
    }
}
