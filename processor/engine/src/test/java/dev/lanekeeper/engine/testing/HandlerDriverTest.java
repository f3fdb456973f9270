package dev.lanekeeper.engine.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryLaterException;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.handler.TerminalException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** Attempts, waits and last words, without an engine and without waiting. */
class HandlerDriverTest {
    private static final TestDelivery<String, String> DELIVERY = TestDelivery.of("c-1", "v");

    private static ProducerRecord<byte[], byte[]> output(int attempt) {
        return new ProducerRecord<>("out", new byte[] {(byte) attempt});
    }

    @Test
    void onlyWhatTheSuccessfulAttemptEmittedIsSent() {
        HandlerReport report = HandlerDriver.<String, String>handler(delivery -> {
                    delivery.emit(output(delivery.attempt()));
                    if (delivery.attempt() < 3) {
                        throw new IOException("not yet");
                    }
                })
                .deliver(DELIVERY.withAttempt(1));
        assertThat(report.done()).isTrue();
        assertThat(report.attempts()).isEqualTo(3);
        assertThat(report.outputs()).extracting(ProducerRecord::value).containsExactly(new byte[] {3});
        assertThat(report.waits()).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200));
        assertThat(report.then()).isNull();
    }

    @Test
    void afterTheLastAttemptThePolicyHasTheWord() {
        HandlerReport report = HandlerDriver.<String, String>handler(delivery -> {
                    throw new IOException("attempt " + delivery.attempt());
                })
                .retry(new RetryPolicy(2, Duration.ZERO, Duration.ZERO, 0))
                .failures(FailurePolicy.of(OnFailure.PARK_KEY))
                .deliver(DELIVERY.withAttempt(1));
        assertThat(report.done()).isFalse();
        assertThat(report.attempts()).isEqualTo(2);
        assertThat(report.failure()).hasMessage("attempt 2");
        assertThat(report.then()).isEqualTo(OnFailure.PARK_KEY);
        assertThat(report.outputs()).isEmpty();
    }

    @Test
    void rulesAndRequestedDelaysCount() {
        HandlerDriver<String, String> driver = HandlerDriver.<String, String>asyncHandler(
                        delivery -> CompletableFuture.failedStage(
                                delivery.attempt() == 1
                                        ? new RetryLaterException(Duration.ofMinutes(3), "busy", null)
                                        : new CompletionException(new TerminalException("never"))))
                .failures(FailurePolicy.DEFAULT.when(TerminalException.class, FailurePolicy.Verdict.STOP));
        HandlerReport report = driver.deliver(DELIVERY.withAttempt(1));
        assertThat(report.waits()).containsExactly(Duration.ofMinutes(3));
        assertThat(report.failure()).isInstanceOf(TerminalException.class);
        assertThat(report.then()).isEqualTo(OnFailure.STOP_PARTITION);
    }

    /** As long as it may be held, and for the last time at the end of that; then as long as anything else is tried. */
    @Test
    void whatIsHeldIsTriedForItsTime() {
        HandlerReport report = HandlerDriver.<String, String>handler(delivery -> {
                    throw delivery.attempt() < 4 ? new IOException("held") : new IllegalStateException("retried");
                })
                .retry(new RetryPolicy(2, Duration.ofSeconds(2), Duration.ofSeconds(30), 0))
                .failures(FailurePolicy.DEFAULT
                        .when(IOException.class, FailurePolicy.Verdict.HOLD)
                        .withHoldFor(Duration.ofSeconds(10)))
                .deliver(DELIVERY.withAttempt(1));
        assertThat(report.waits())
                .containsExactly(
                        Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(4), Duration.ofSeconds(2));
        assertThat(report.then()).isEqualTo(OnFailure.SKIP_TO_DEAD_LETTERS);

        HandlerReport over = HandlerDriver.<String, String>handler(delivery -> {
                    throw new IOException("held");
                })
                .failures(FailurePolicy.of(OnFailure.PARK_KEY)
                        .when(IOException.class, FailurePolicy.Verdict.HOLD)
                        .withHoldFor(Duration.ofMillis(500)))
                .deliver(DELIVERY.withAttempt(1));
        assertThat(over.waits())
                .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(200));
        assertThat(over.then()).isEqualTo(OnFailure.PARK_KEY);
    }

    @Test
    void aStageThatStaysOpenIsAnErrorOfTheTest() {
        HandlerDriver<String, String> driver = HandlerDriver.<String, String>asyncHandler(
                        delivery -> new CompletableFuture<>())
                .patience(Duration.ofMillis(1));
        assertThatThrownBy(() -> driver.deliver(DELIVERY.withAttempt(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("the stage of attempt 1 of test-0@0 is not complete after PT0.001S");
    }

    @Test
    void memoryThatHasRunOutIsNoFailedAttempt() {
        HandlerDriver<String, String> driver = HandlerDriver.<String, String>handler(delivery -> {
            throw new OutOfMemoryError("planted");
        });
        assertThatThrownBy(() -> driver.deliver(DELIVERY.withAttempt(1)))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("planted");
    }

    @Test
    void afterItsAttemptADeliveryTakesNothingMore() {
        TestDelivery<String, String> delivery = TestDelivery.of("c-1", "v");
        HandlerDriver.<String, String>handler(unused -> {}).deliver(delivery);
        assertThatThrownBy(() -> delivery.emit(output(1))).isInstanceOf(IllegalStateException.class);
    }
}
