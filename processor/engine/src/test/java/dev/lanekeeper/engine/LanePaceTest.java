package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.RateLimit;
import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of lanes, against a bucket as in the textbook, and what is remembered of them. */
@ExtendWith(Seed.class)
class LanePaceTest {
    private static final Bytes A = lane("a");

    private final ManualClock clock = new ManualClock();

    private static Bytes lane(String name) {
        return Bytes.wrap(name.getBytes(UTF_8));
    }

    @Test
    void aBurstThenOneByOne() {
        LanePace pace = new LanePace(new RateLimit(4, 2), clock.nanos());
        assertThat(pace.take(A)).isZero();
        assertThat(pace.take(A)).isZero();
        assertThat(pace.take(A)).isEqualTo(Duration.ofMillis(250).toNanos());
        clock.advance(Duration.ofMillis(249));
        assertThat(pace.take(A)).isEqualTo(Duration.ofMillis(1).toNanos());
        clock.advance(Duration.ofMillis(1));
        assertThat(pace.take(A)).isZero();
        assertThat(pace.take(A)).isPositive();
    }

    @Test
    void lanesHaveNothingToDoWithEachOther() {
        LanePace pace = new LanePace(new RateLimit(1, 1), clock.nanos());
        assertThat(pace.take(A)).isZero();
        assertThat(pace.take(lane("b"))).isZero();
        assertThat(pace.take(A)).isPositive();
    }

    @Test
    void aNewLimitBeginsWithFullBuckets() {
        LanePace pace = new LanePace(new RateLimit(0.001, 1), clock.nanos());
        assertThat(pace.take(A)).isZero();
        assertThat(pace.take(A)).isEqualTo(Duration.ofSeconds(1_000).toNanos());
        pace.limit(RateLimit.perSecond(2));
        assertThat(pace.take(A)).isZero();
        assertThat(pace.take(A)).isZero();
        assertThat(pace.take(A)).isPositive();
        pace.limit(RateLimit.UNLIMITED);
        assertThat(pace.take(A)).isZero();
        assertThat(pace.remembered()).isZero();
    }

    /** Each token of a model that counts them is given at the same moment. */
    @Test
    void givesWhatATokenBucketGives(Random random) {
        for (int round = 0; round < 200; round++) {
            int perSecond = 1 + random.nextInt(20);
            int burst = 1 + random.nextInt(5);
            long nanosPerToken = 1_000_000_000L / perSecond;
            LanePace pace = new LanePace(new RateLimit(1e9 / nanosPerToken, burst), clock.nanos());
            long stock = burst * nanosPerToken; // in nanoseconds of coming back
            for (int step = 0; step < 200; step++) {
                long passes = random.nextInt(300) * 1_000_000L;
                clock.advance(Duration.ofNanos(passes));
                stock = Math.min(burst * nanosPerToken, stock + passes);
                boolean has = stock >= nanosPerToken;
                long margin = Math.abs(stock - nanosPerToken); // rounding to whole nanoseconds adds up
                if (margin > 1_000) {
                    assertThat(pace.take(A) == 0)
                            .as("round %s, step %s", round, step)
                            .isEqualTo(has);
                    stock -= has ? nanosPerToken : 0;
                }
            }
        }
    }

    /** Customers that come once and never again must not stay. */
    @Test
    void remembersOnlyLanesThatWereUsedLately() {
        LanePace pace = new LanePace(new RateLimit(10, 1), clock.nanos());
        int most = 0;
        for (int i = 0; i < 100_000; i++) {
            assertThat(pace.take(lane("c" + i))).isZero();
            clock.advance(Duration.ofMillis(1));
            most = Math.max(most, pace.remembered());
        }
        assertThat(most).isBetween(100, 2_048);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN})
    void aRateMustBePositive(double rate) {
        assertThatThrownBy(() -> RateLimit.perSecond(rate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("perSecond must be positive: " + rate);
    }

    @Test
    void theBucketHoldsOneTokenAtLeast() {
        assertThat(RateLimit.perSecond(0.1).burst()).isEqualTo(1);
        assertThat(RateLimit.perSecond(2.5).burst()).isEqualTo(3);
        assertThat(RateLimit.UNLIMITED.unlimited()).isTrue();
        assertThat(RateLimit.perSecond(1e12).unlimited()).isFalse();
        assertThatThrownBy(() -> new RateLimit(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("burst must be at least 1: 0");
    }
}
