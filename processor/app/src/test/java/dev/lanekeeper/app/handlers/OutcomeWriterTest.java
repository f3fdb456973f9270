package dev.lanekeeper.app.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.message.Job;
import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutcomeWriterTest {
    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final Instant END = BEGIN.plusMillis(12);

    private final OutcomeWriter writer = new OutcomeWriter("job-outcomes", "i-1", new LaneKey(Optional.empty()));

    @Test
    void jobThatIsDoneGetsAllThatIsKnownOfIt() {
        String json = FakeDelivery.JOB.formatted("c-1", "deposit").replace("\"payload\"", "\"seq\":17,\"payload\"");
        FakeDelivery delivery = FakeDelivery.ofValue("c-1", json, 1);

        ProducerRecord<byte[], byte[]> written = write(delivery.record(), delivery.value(), null, 2);

        assertThat(written.topic()).isEqualTo("job-outcomes");
        assertThat(written.key()).isEqualTo("c-1".getBytes(StandardCharsets.UTF_8));
        assertThat(written.partition()).isEqualTo(3);
        Outcome outcome = outcome(written);
        assertThat(outcome.jobId()).isEqualTo("j-1");
        assertThat(outcome.customerId()).isEqualTo("c-1");
        assertThat(outcome.seq()).isEqualTo(17);
        assertThat(outcome.status()).isEqualTo(Outcome.Status.DONE);
        assertThat(outcome.attempt()).isEqualTo(2);
        assertThat(outcome.instance()).isEqualTo("i-1");
        assertThat(outcome.epoch()).isEqualTo(4);
        assertThat(outcome.topic()).isEqualTo("customer-jobs");
        assertThat(outcome.partition()).isEqualTo(3);
        assertThat(outcome.offset()).isEqualTo(812);
        assertThat(outcome.startedAt()).isEqualTo(BEGIN);
        assertThat(outcome.endedAt()).isEqualTo(END);
        assertThat(outcome.bulk()).isFalse();
        assertThat(outcome.result()).isNull();
    }

    @Test
    void failureSaysWhatWhyAndWhere() {
        FakeDelivery delivery = FakeDelivery.of("c-1", "deposit", 1);
        FinalResult.Failure failure = new FinalResult.Failure(
                FailureStage.HANDLER, new CompletionException(new TerminalException("x".repeat(5_000))));

        Outcome outcome = outcome(write(delivery.record(), delivery.value(), failure, 1));

        assertThat(outcome.status()).isEqualTo(Outcome.Status.FAILED);
        assertThat(outcome.jobId()).isEqualTo("j-1");
        JsonNode result = Objects.requireNonNull(outcome.result());
        assertThat(result.path("error").textValue()).isEqualTo(TerminalException.class.getName());
        assertThat(result.path("message").textValue()).hasSize(1_000);
        assertThat(result.path("stage").textValue()).isEqualTo("handler");
    }

    @Test
    void recordThatIsNoJobStillSaysWhoseItIs() {
        Outcome outcome = outcome(write(FakeDelivery.record("c-1", "{"), null, undecodable(), 0));

        assertThat(outcome.jobId()).isNull();
        assertThat(outcome.seq()).isNull();
        assertThat(outcome.customerId()).isEqualTo("c-1");
        assertThat(outcome.attempt()).isZero();
        assertThat(Objects.requireNonNull(outcome.result()).path("stage").textValue())
                .isEqualTo("decode");
    }

    @Test
    void recordWithoutAKeyStaysInItsPartition() {
        ProducerRecord<byte[], byte[]> written = write(FakeDelivery.record(null, "{"), null, undecodable(), 0);

        assertThat(written.key()).isNull();
        assertThat(written.partition()).isEqualTo(3);
        assertThat(outcome(written).customerId()).isNull();
    }

    @Test
    void blankKeyIsNoCustomer() {
        assertThat(outcome(write(FakeDelivery.record(" ", "{"), null, undecodable(), 0))
                        .customerId())
                .isNull();
    }

    private static FinalResult.Failure undecodable() {
        return new FinalResult.Failure(FailureStage.DECODE, new IllegalArgumentException("no JSON"));
    }

    private ProducerRecord<byte[], byte[]> write(
            ConsumerRecord<byte[], byte[]> record,
            @Nullable Job job,
            FinalResult.@Nullable Failure failure,
            int attempt) {
        return writer.write(new FinalResult<>(record, job, failure, attempt, 4, BEGIN, END))
                .get(0);
    }

    private static Outcome outcome(ProducerRecord<byte[], byte[]> written) {
        return new MessageCodec().outcome(written.value());
    }
}
