package dev.lanekeeper.benchmarks.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.benchmarks.Overlap;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer that does not exclude would be fast, and the comparison worth nothing. */
class LockPeerTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource
    void one_thread_at_a_time_is_inside_a_key(LockPeer peer) throws InterruptedException {
        assertThat(overlap(peer.create(), "a", "a", SHORT)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void different_keys_do_not_wait_for_each_other(LockPeer peer) throws InterruptedException {
        assertThat(overlap(peer.create(), "a", "b", LONG)).isTrue(); // these two share no stripe
    }

    @Test
    void a_lock_that_does_not_exclude_is_found() throws InterruptedException {
        assertThat(overlap(new NoLock(), "a", "a", LONG)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void the_benchmark_runs_with_every_peer(LockPeer peer) {
        LockBenchmark benchmark = new LockBenchmark();
        benchmark.peer = peer;
        benchmark.keys = 1000;
        benchmark.setup();
        LockBenchmark.Visits visits = new LockBenchmark.Visits();
        benchmark.enterAndLeave(visits);
        benchmark.enterAndLeave(visits);
        assertThat(visits.count()).isEqualTo(2);
    }

    private static boolean overlap(KeyLock<?> lock, String first, String second, Duration patience)
            throws InterruptedException {
        Overlap overlap = new Overlap(patience);
        Thread one = new Thread(() -> lock.run(first, overlap::first));
        Thread two = new Thread(() -> lock.run(second, overlap::second));
        one.start();
        overlap.awaitFirst();
        two.start();
        boolean found = overlap.found();
        one.join();
        two.join();
        return found;
    }

    private static final class NoLock implements KeyLock<String> {
        @Override
        public String enter(String key) {
            return key;
        }

        @Override
        public void leave(String key, String token) {}
    }
}
