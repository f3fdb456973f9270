package dev.lanekeeper.benchmarks.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A map that forgets what is done would be small, and the comparison worth nothing. */
class CommitPeerTest {
    private static final int DONE = 10_000;

    @ParameterizedTest
    @EnumSource
    void the_map_says_what_is_done_and_what_is_not(CommitPeer peer) {
        DoneBehind behind = peer.create(DONE);
        assertThat(saysWhatIsDone(behind, behind.map())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void a_map_that_forgets_something_is_found(CommitPeer peer) {
        assertThat(saysWhatIsDone(peer.create(DONE), peer.create(DONE - 1).map()))
                .isFalse();
    }

    @Test
    void the_benchmark_runs() {
        CommitBenchmark benchmark = new CommitBenchmark();
        benchmark.setup();
        assertThat(benchmark.map()).hasSizeLessThan(100);
    }

    private static boolean saysWhatIsDone(DoneBehind behind, String map) {
        return !behind.readsAsDone(map, 0)
                && LongStream.rangeClosed(1, DONE).allMatch(offset -> behind.readsAsDone(map, offset))
                && !behind.readsAsDone(map, DONE + 1);
    }
}
