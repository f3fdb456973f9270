package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Failing attempts are heard of, and don't fill the log. */
class ComplaintsTest {
    private final ManualClock clock = new ManualClock();
    private final Complaints complaints = new Complaints(clock::nanoTime);

    @Test
    void theFirstIsSaidAtOnceAndTheRestTogether() {
        assertThat(complaints.due()).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            assertThat(complaints.due()).isZero();
        }
        clock.advance(Duration.ofSeconds(11));
        assertThat(complaints.due()).isEqualTo(1001);
        assertThat(complaints.due()).isZero();
    }
}
