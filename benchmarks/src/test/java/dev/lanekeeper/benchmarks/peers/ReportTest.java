package dev.lanekeeper.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lanekeeper.benchmarks.Verdict;
import dev.lanekeeper.benchmarks.peers.contenders.Contender;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** What is said of runs follows from them. */
class ReportTest {
    private static final Workload W1 = Workload.of("W1");

    private final Report report = new Report();

    @Test
    void a_reading_survives_its_line() {
        Reading reading = new Reading(1.5, 2, 3, 4, Double.NaN, 6, 7, "so", "order broken: 1, 2; 3=4");
        assertThat(Reading.of(reading.line()))
                .isEqualTo(new Reading(1.5, 2, 3, 4, Double.NaN, 6, 7, "so", "order broken: 1, 2, 3=4"));
    }

    @Test
    void the_median_is_of_clean_runs_and_says_that_others_failed() {
        Reading median = Reading.median(List.of(rate(10), Reading.failed("died"), rate(30), rate(20)));
        assertThat(median.rate()).isEqualTo(20);
        assertThat(median.fault()).isEqualTo("1 of 4 runs failed");
        assertThat(Reading.median(List.of(Reading.failed("died"))).fault()).isEqualTo("died");
    }

    @Test
    void ours_are_compared_with_the_best_that_keeps_the_order_of_keys() {
        report.add(W1, Contender.BARE, rate(1_000));
        report.add(W1, Contender.THREAD_PER_PARTITION, rate(900));
        report.add(W1, Contender.KEY_CHAIN, rate(400));
        report.add(W1, Contender.BARRIER, rate(300));
        report.add(W1, Contender.LANEKEEPER, rate(599));
        assertThat(report.bestOther("W1")).isEqualTo(400);
        assertThat(verdict("W1, to the best other")).matches(verdict -> !verdict.reached());
        assertThat(verdict("W1, to the bare consumer")).matches(verdict -> !verdict.reached());
        report.add(W1, Contender.LANEKEEPER, rate(1_000));
        report.add(W1, Contender.LANEKEEPER, rate(1_000));
        assertThat(verdict("W1, to the best other")).matches(Verdict::reached);
        assertThat(report.markdown())
                .contains("### W1")
                .contains("| chain of futures per key | 400 | 0.40 |")
                .contains("| Lanekeeper | 1,000 | 1.00 |");
    }

    @Test
    void what_was_not_run_gets_no_verdict() {
        report.add(W1, Contender.LANEKEEPER, rate(1));
        assertThat(PeersTargets.of(report)).noneMatch(verdict -> verdict.what().startsWith("W2"));
    }

    @Test
    void what_does_not_exist_is_refused_by_name() {
        Properties properties = new Properties();
        properties.setProperty("peers.workloads", "W1,W99");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeersSettings.of(properties))
                .withMessageStartingWith("no workload W99; there are: W1, ");
        properties.setProperty("peers.workloads", "all");
        properties.setProperty("peers.contenders", "somebody");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeersSettings.of(properties))
                .withMessageStartingWith("no contender somebody; there are: bare, ");
        properties.setProperty("peers.contenders", "key-chain, lanekeeper");
        assertThat(PeersSettings.of(properties).contenders())
                .containsExactly(Contender.KEY_CHAIN, Contender.LANEKEEPER);
    }

    @Test
    void a_workload_draws_the_same_keys_each_time_and_as_often_as_it_says() {
        Workload hot = Workload.of("W7-hot");
        assertThat(hot.keySequence()).isEqualTo(hot.keySequence());
        assertThat(Arrays.stream(hot.keySequence()).filter(key -> key == 0).count() * 100.0 / hot.records())
                .isBetween(9.0, 11.0);
        int[] skewed = Workload.of("W3").keySequence();
        assertThat(Arrays.stream(skewed).filter(key -> key == 0).count()).isGreaterThan(skewed.length / 10);
    }

    private Verdict verdict(String start) {
        return PeersTargets.of(report).stream()
                .filter(verdict -> verdict.what().startsWith(start))
                .findFirst()
                .orElseThrow();
    }

    private static Reading rate(double rate) {
        return new Reading(rate, 1, 1, 1, Double.NaN, Double.NaN, 0, "", "");
    }
}
