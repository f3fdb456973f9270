package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FailurePolicy.Verdict;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryLaterException;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.engine.testing.HandlerDriver;
import dev.lanekeeper.engine.testing.HandlerReport;
import dev.lanekeeper.engine.testing.TestDelivery;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the driver for handlers says of a record is what the engine does with it. */
@Timeout(60)
class DriverAgreementTest {
    private static final FailurePolicy POLICY = FailurePolicy.of(OnFailure.SKIP_TO_DEAD_LETTERS)
            .when(SocketTimeoutException.class, Verdict.STOP)
            .when(FileNotFoundException.class, Verdict.HOLD)
            .when(UnsupportedOperationException.class, Verdict.DEAD_LETTER);

    /** How many attempts fail, and with what. */
    record Trouble(int attempts, Throwable failure) {}

    static final List<Trouble> TROUBLES = List.of(
            new Trouble(0, new IOException("never thrown")),
            new Trouble(2, new IOException("checked")),
            new Trouble(9, new IOException("checked")),
            new Trouble(9, new AssertionError("an error")),
            new Trouble(9, new TerminalException("final")),
            new Trouble(9, new UnsupportedOperationException("by rule")),
            new Trouble(9, new CompletionException(new UnsupportedOperationException("wrapped"))),
            new Trouble(9, new UncheckedIOException(new SocketTimeoutException("a cause stops"))),
            new Trouble(3, new UncheckedIOException(new FileNotFoundException("held, not counted"))),
            new Trouble(1, new RetryLaterException(Duration.ZERO, "at once", null)));

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private static Handler<String, String> handler(Trouble trouble, AtomicInteger attempts) {
        return delivery -> {
            attempts.incrementAndGet();
            delivery.emit(new ProducerRecord<>("out", new byte[] {(byte) delivery.attempt()}));
            if (delivery.attempt() <= trouble.attempts()) {
                if (trouble.failure() instanceof Error error) {
                    throw error;
                }
                throw (Exception) trouble.failure();
            }
        };
    }

    @ParameterizedTest
    @FieldSource("TROUBLES")
    void theEngineDoesWhatTheDriverSays(Trouble trouble) {
        HandlerReport said = HandlerDriver.handler(handler(trouble, new AtomicInteger()))
                .retry(EngineRig.AT_ONCE)
                .failures(POLICY)
                .deliver(TestDelivery.of("a", "v"));

        AtomicInteger attempts = new AtomicInteger();
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.failures(POLICY).handler(handler(trouble, attempts)));
        rig.send("a=v");
        if (said.then() == OnFailure.STOP_PARTITION) {
            await().until(() -> !keeper.view().stoppedPartitions().isEmpty());
        } else {
            rig.awaitCommitted(1);
        }
        assertThat(attempts).hasValue(said.attempts());
        assertThat(emittedBy(rig.records("out"))).isEqualTo(emittedBy(said.outputs()));
        assertThat(rig.records("dead")).hasSize(said.then() == OnFailure.SKIP_TO_DEAD_LETTERS ? 1 : 0);
    }

    /** Which attempts emitted these. */
    private static List<Byte> emittedBy(List<ProducerRecord<byte[], byte[]>> outputs) {
        return outputs.stream().map(output -> output.value()[0]).toList();
    }
}
