package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One timeout for all steps of a close. */
class ClosingTest {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final ManualClock clock = new ManualClock();

    /** In seconds: the timeout, what of it the handlers have, when all is over. */
    @ParameterizedTest
    @CsvSource({"0, 0, 1", "1, 1, 2", "3, 3, 4", "4, 3, 4", "8, 6, 8", "20, 15, 20", "30, 25, 30", "600, 595, 600"})
    void theLastStepsHaveAShareOfTheTimeout(long timeout, long drain, long whole) {
        Closing closing = Closing.within(Duration.ofSeconds(timeout), clock.nanos());
        assertThat(closing.drain().left(FOR_EVER)).isEqualTo(Duration.ofSeconds(drain));
        assertThat(closing.end().left(FOR_EVER)).isEqualTo(Duration.ofSeconds(whole));
    }

    @Test
    void timePasses() {
        Closing closing = Closing.within(Duration.ofSeconds(20), clock.nanos());
        clock.advance(Duration.ofSeconds(14));
        assertThat(closing.drain().passed()).isFalse();
        assertThat(closing.drain().left(Duration.ofMillis(10))).isEqualTo(Duration.ofMillis(10));
        clock.advance(Duration.ofSeconds(1));
        assertThat(closing.drain().passed()).isTrue();
        assertThat(closing.end().left(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(5));
        clock.advance(Duration.ofSeconds(10));
        assertThat(closing.end().leftNanos()).isZero();
    }

    /** Neither does the conversion overflow, nor the sum with a clock that began anywhere. */
    @Test
    void aTimeoutMayBeAsLongAsDurationsAre() {
        for (long origin : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
            Closing closing = Closing.within(FOR_EVER, () -> origin);
            assertThat(closing.drain().passed()).isFalse();
            assertThat(closing.drain().left(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(10));
            assertThat(closing.end().left(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(10));
        }
    }

    @Test
    void theEarlierOfTwo() {
        Deadline soon = Deadline.in(Duration.ofSeconds(1), clock.nanos());
        Deadline late = Deadline.in(FOR_EVER, clock.nanos());
        assertThat(soon.or(late)).isSameAs(soon);
        assertThat(late.or(soon)).isSameAs(soon);
    }

    @Test
    void aNegativeTimeoutIsRefused() {
        assertThatThrownBy(() -> Closing.within(Duration.ofMillis(-1), clock.nanos()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout must not be negative: PT-0.001S");
    }
}
