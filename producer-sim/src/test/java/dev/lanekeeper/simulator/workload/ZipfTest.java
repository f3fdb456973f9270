package dev.lanekeeper.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZipfTest {
    private static final int DRAWS = 300_000;
    private final long seed = Long.getLong("lanekeeper.seed", 42);

    @ParameterizedTest
    @CsvSource({
        "1, 1.0",
        "2, 1.0",
        "10, 0.3",
        "10, 1.0",
        "100, 0.99",
        "100, 1.0",
        "100, 1.01",
        "1000, 1.1",
        "500, 2.0",
        "50, 10.0",
        "100000, 1.2",
        "100, 0.0",
        "100, 1.000000001"
    })
    void drawsTheLaw(int ranks, double skew) {
        assertThat(GoodnessOfFit.fits(draw(ranks, skew), GoodnessOfFit.zipf(ranks, skew)))
                .as("%d ranks, skew %s, seed %d", ranks, skew, seed)
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"10, 1.0, 1.02", "100, 1.0, 0.98", "1000, 1.1, 1.0", "500, 2.0, 2.05"})
    void theMeasureTellsAnotherSkewApart(int ranks, double skew, double other) {
        assertThat(GoodnessOfFit.fits(draw(ranks, skew), GoodnessOfFit.zipf(ranks, other)))
                .as("%d ranks, drawn with skew %s, measured against %s, seed %d", ranks, skew, other, seed)
                .isFalse();
    }

    @Test
    void millionsOfRanksStayInRange() {
        Random random = new Random(seed);
        Zipf zipf = new Zipf(WorkloadSettings.MOST_CUSTOMERS, 1.1);
        for (int i = 0; i < DRAWS; i++) {
            assertThat(zipf.next(random)).isBetween(1, WorkloadSettings.MOST_CUSTOMERS);
        }
    }

    private long[] draw(int ranks, double skew) {
        Random random = new Random(seed);
        Zipf zipf = new Zipf(ranks, skew);
        long[] counts = new long[ranks];
        for (int i = 0; i < DRAWS; i++) {
            counts[zipf.next(random) - 1]++;
        }
        return counts;
    }
}
