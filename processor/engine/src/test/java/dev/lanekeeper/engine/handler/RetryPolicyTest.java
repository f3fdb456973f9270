package dev.lanekeeper.engine.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.Seed;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Seed.class)
class RetryPolicyTest {
    private final Exception failure = new IOException("planned");

    private final Random random = new Random(Seed.value());

    @Test
    void theLastAttemptIsNotFollowedByAnother() {
        RetryPolicy three = new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(1), 0);
        assertThat(three.allows(1)).isTrue();
        assertThat(three.allows(2)).isTrue();
        assertThat(three.allows(3)).isFalse();
        assertThat(RetryPolicy.never().allows(1)).isFalse();
    }

    @Test
    void waitsDoubleUpToTheLongest() {
        RetryPolicy policy = new RetryPolicy(99, Duration.ofMillis(100), Duration.ofSeconds(1), 0);
        assertThat(delays(policy, 1, 2, 3, 4, 5, 98)).containsExactly(100, 200, 400, 800, 1_000, 1_000);
    }

    /** PC#412 and #622: back-off arithmetic that halves, or overflows. */
    @Test
    void manyAttemptsDoNotOverflow() {
        RetryPolicy policy = new RetryPolicy(Integer.MAX_VALUE, Duration.ofDays(1), Duration.ofDays(90_000), 0);
        for (int attempt : new int[] {1, 30, 31, 32, 63, 64, 65, Integer.MAX_VALUE - 1}) {
            assertThat(policy.delay(attempt, failure, random)).isBetween(Duration.ofDays(1), Duration.ofDays(90_000));
        }
    }

    @Test
    void jitterTakesAwayAtMostItsShare(Random chance) {
        RetryPolicy policy = new RetryPolicy(9, Duration.ofMillis(100), Duration.ofSeconds(1), 0.2);
        for (int i = 0; i < 1_000; i++) {
            assertThat(policy.delay(1, failure, chance)).isBetween(Duration.ofMillis(80), Duration.ofMillis(100));
        }
    }

    @Test
    void aHandlerThatKnowsHowLongIsHeardUpToALimitOfItsOwn() {
        RetryPolicy policy = new RetryPolicy(9, Duration.ofMillis(100), Duration.ofSeconds(10), 0.5);
        assertThat(policy.delay(1, new RetryLaterException(Duration.ofSeconds(3), "busy", null), random))
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(policy.delay(1, new RetryLaterException(Duration.ofDays(3), "busy", null), random))
                .isEqualTo(Duration.ofHours(1));
        RetryPolicy patient = policy.withMaxRetryAfter(Duration.ofDays(2));
        assertThat(patient.delay(1, new RetryLaterException(Duration.ofDays(3), "busy", null), random))
                .isEqualTo(Duration.ofDays(2));
    }

    @Test
    void aWaitOfNothingIsRefusedWhereItIsMade() {
        assertThatNullPointerException().isThrownBy(() -> new RetryLaterException(nothing(), "busy", null));
    }

    @Test
    void wrongSettingsAreRefusedWithNameAndValue() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new RetryPolicy(0, second, second, 0)).hasMessage("maxAttempts must be at least 1: 0");
        assertThatThrownBy(() -> new RetryPolicy(1, second.negated(), second, 0))
                .hasMessage("initialBackoff must not be negative: PT-1S");
        assertThatThrownBy(() -> new RetryPolicy(1, second, Duration.ZERO, 0))
                .hasMessage("maxBackoff must be at least initialBackoff (PT1S): PT0S");
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.withMaxRetryAfter(second.negated()))
                .hasMessageStartingWith("maxRetryAfter must be from 0 to ")
                .hasMessageEndingWith(": PT-1S");
        for (double jitter : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> new RetryPolicy(1, second, second, jitter))
                    .hasMessage("jitter must be from 0 to 1: " + jitter);
        }
    }

    /** Longer than a timer counts in nanoseconds: refused here, not when the first record fails. */
    @Test
    void aWaitThatNoTimerCanCountIsRefused() {
        Duration tooLong = Duration.ofSeconds(Long.MAX_VALUE);
        assertThatThrownBy(() -> new RetryPolicy(2, Duration.ZERO, tooLong, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxBackoff")
                .hasMessageContaining(tooLong.toString());
    }

    @SuppressWarnings("NullAway") // what a caller without null checks may hand over
    private static Duration nothing() {
        return null;
    }

    private long[] delays(RetryPolicy policy, int... attempts) {
        long[] millis = new long[attempts.length];
        for (int i = 0; i < attempts.length; i++) {
            millis[i] = policy.delay(attempts[i], failure, random).toMillis();
        }
        return millis;
    }
}
