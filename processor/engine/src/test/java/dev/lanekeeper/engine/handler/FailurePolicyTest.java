package dev.lanekeeper.engine.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.FailurePolicy.Verdict;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** PC#242: which failures are final is a matter of their class, not of a log level. */
class FailurePolicyTest {
    private final FailurePolicy policy = FailurePolicy.of(OnFailure.PARK_KEY)
            .when(IOException.class, Verdict.DEAD_LETTER)
            .when(FileNotFoundException.class, Verdict.PARK)
            .when(Error.class, Verdict.STOP);

    @Test
    void theMostSpecificClassWins() {
        assertThat(policy.judge(new FileNotFoundException("f"))).isEqualTo(Verdict.PARK);
        assertThat(policy.judge(new IOException("io"))).isEqualTo(Verdict.DEAD_LETTER);
        assertThat(policy.judge(new StackOverflowError())).isEqualTo(Verdict.STOP);
        assertThat(policy.judge(new IllegalStateException("none"))).isEqualTo(Verdict.RETRY);
    }

    @Test
    void whatStagesWrapIsLookedAt() {
        assertThat(policy.when(RuntimeException.class, Verdict.STOP)
                        .judge(new CompletionException(new ExecutionException(new IOException("io")))))
                .isEqualTo(Verdict.DEAD_LETTER);
        assertThat(policy.judge(new ExecutionException("alone", null))).isEqualTo(Verdict.RETRY);
    }

    @Test
    void aRuleForACauseHoldsIfThereIsNoneForTheFailureItself() {
        assertThat(policy.judge(new IllegalStateException(new RuntimeException(new FileNotFoundException("f")))))
                .isEqualTo(Verdict.PARK);
        assertThat(policy.when(IllegalStateException.class, Verdict.RETRY)
                        .judge(new IllegalStateException(new IOException("io"))))
                .isEqualTo(Verdict.RETRY);
    }

    @Test
    void terminalIsFinalUnlessItIsSaidOtherwise() {
        assertThat(policy.judge(new TerminalException("no"))).isEqualTo(Verdict.FINAL);
        assertThat(policy.judge(new IllegalStateException(new TerminalException("no"))))
                .isEqualTo(Verdict.FINAL);
        assertThat(policy.when(RuntimeException.class, Verdict.RETRY).judge(new TerminalException("no")))
                .isEqualTo(Verdict.FINAL);
        assertThat(policy.when(TerminalException.class, Verdict.RETRY).judge(new TerminalException("no")))
                .isEqualTo(Verdict.RETRY);
    }

    @Test
    void causesWithoutEndComeToAnEnd() {
        assertThat(policy.judge(new Circle())).isEqualTo(Verdict.RETRY);
    }

    @Test
    void itIsKnownWhetherAnythingMayBeParked() {
        assertThat(FailurePolicy.DEFAULT.parks()).isFalse();
        assertThat(FailurePolicy.of(OnFailure.PARK_KEY).parks()).isTrue();
        assertThat(FailurePolicy.DEFAULT.when(IOException.class, Verdict.PARK).parks())
                .isTrue();
        assertThat(FailurePolicy.DEFAULT
                        .when(IOException.class, Verdict.PARK)
                        .when(IOException.class, Verdict.RETRY)
                        .parks())
                .isFalse();
    }

    @Test
    void whatIsHeldIsNeverQuiteWithoutRestAndComesToItsEnd() {
        FailurePolicy holds = policy.when(IOException.class, Verdict.HOLD).withHoldFor(Duration.ofSeconds(60));
        assertThat(holds.judge(new IllegalStateException(new IOException("io"))))
                .isEqualTo(Verdict.HOLD);
        assertThat(holds.waitWhileHeld(Duration.ZERO, Duration.ofSeconds(5))).contains(Duration.ofSeconds(5));
        assertThat(holds.waitWhileHeld(Duration.ZERO, Duration.ZERO)).contains(Duration.ofMillis(100));
        assertThat(holds.waitWhileHeld(Duration.ofSeconds(58), Duration.ofSeconds(5)))
                .contains(Duration.ofSeconds(2));
        assertThat(holds.waitWhileHeld(Duration.ofSeconds(60), Duration.ofSeconds(5)))
                .isEmpty();
        assertThat(policy.holdFor()).isEqualTo(Duration.ofMinutes(10));
        assertThat(holds.when(Error.class, Verdict.FINAL).holdFor()).isEqualTo(Duration.ofSeconds(60));
        assertThatThrownBy(() -> policy.withHoldFor(Duration.ofSeconds(-1)))
                .hasMessage("holdFor must be from 0 to PT2400000H: PT-1S");
    }

    @Test
    void aTimeoutOfNothingIsRefused() {
        assertThatThrownBy(() -> HandlerTimeout.hold(Duration.ZERO))
                .hasMessage("the handler's timeout must be positive and at most PT24000H: PT0S");
        assertThatThrownBy(() -> HandlerTimeout.fence(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static final class Circle extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable getCause() {
            return this;
        }
    }
}
