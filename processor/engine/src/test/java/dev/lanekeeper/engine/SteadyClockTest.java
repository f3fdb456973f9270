package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    @Test
    void nanoseconds_say_the_same_as_instants() {
        SteadyClock clock = new SteadyClock();
        Instant before = clock.instant();
        long nanos = SteadyClock.epochNanos(clock);
        Instant after = clock.instant();
        assertThat(Instant.EPOCH.plusNanos(nanos)).isBetween(before, after);
    }

    @Test
    void any_clock_can_be_read_in_nanoseconds_also_before_1970() {
        Instant moment = Instant.parse("2026-01-02T03:04:05.678912345Z");
        Instant early = Instant.parse("1969-12-31T23:59:59.999999999Z");
        assertThat(SteadyClock.epochNanos(InstantSource.fixed(moment))).isEqualTo(1_767_323_045_678_912_345L);
        assertThat(SteadyClock.epochNanos(InstantSource.fixed(early))).isEqualTo(-1);
    }
}
