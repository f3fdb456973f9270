package dev.lanekeeper.engine.result;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PublisherTest {
    static final List<RuntimeException> MAY_PASS = List.of(
            new TimeoutException("the broker is away"),
            new UnknownTopicOrPartitionException("no such topic yet"),
            new IllegalArgumentException("whatever it means"));

    static final List<RuntimeException> NEVER_TAKEN = List.of(
            new RecordTooLargeException("too large"),
            new SerializationException("not bytes"),
            new InvalidTopicException("no topic can be called that"));

    static final List<RuntimeException> END_THE_PRODUCER = List.of(
            new TopicAuthorizationException("not allowed"),
            new ProducerFencedException("fenced"),
            new IllegalStateException("closed"));

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final SteppingExecutor pauses = new SteppingExecutor();
    private final SteppingExecutor probes = new SteppingExecutor();
    private final List<Throwable> fatal = new ArrayList<>();
    private final Publisher publisher = new Publisher(producer, pauses, probes, fatal::add);
    private final Heard heard = new Heard();

    @Test
    void acknowledgedWhenTheBrokerHasAllOfThem() {
        publish("a", "b", "c");
        assertThat(sent()).containsExactly("a", "b", "c");
        producer.completeNext();
        producer.completeNext();
        assertThat(heard.words).isEmpty();
        producer.completeNext();
        assertThat(heard.words).containsExactly("acknowledged");
    }

    @ParameterizedTest
    @FieldSource("MAY_PASS")
    void whatFailedIsSentAgainAndOnlyThat(RuntimeException cause) {
        publish("a", "b", "c");
        producer.completeNext();
        producer.errorNext(cause);
        producer.completeNext();
        assertThat(heard.words).isEmpty();
        assertThat(pauses.queued()).isEqualTo(1);

        runAll();
        assertThat(sent()).containsExactly("a", "b", "c", "b");
        producer.completeNext();
        assertThat(heard.words).containsExactly("wanted?", "acknowledged");
        assertThat(fatal).isEmpty();
    }

    /** Edge case 8: a dead-letter topic that is away for long. */
    @Test
    void aSendIsTriedForAsLongAsItTakes() {
        publish("a");
        for (int i = 0; i < 10; i++) {
            producer.errorNext(new TimeoutException("still away"));
            runAll();
        }
        assertThat(heard.words).containsOnly("wanted?");
        producer.completeNext();
        assertThat(heard.words).endsWith("acknowledged").hasSize(11);
    }

    @ParameterizedTest
    @FieldSource("NEVER_TAKEN")
    void oneThatTheBrokerWillNeverTakeIsRefusedOnce(RuntimeException cause) {
        publish("a", "b", "c");
        producer.errorNext(cause);
        assertThat(heard.words).isEmpty();
        producer.errorNext(new TimeoutException("may pass, but what for"));
        producer.completeNext();
        assertThat(heard.words).containsExactly("refused " + cause.getMessage());
        assertThat(pauses.queued()).isZero();
        assertThat(fatal).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("END_THE_PRODUCER")
    void anErrorThatEndsTheProducerIsFatalAndNothingIsAcknowledged(RuntimeException cause) {
        publish("a");
        producer.errorNext(cause);
        assertThat(fatal).containsExactly(cause);
        assertThat(heard.words).isEmpty();
        assertThat(pauses.queued()).isZero();
    }

    @Test
    void aSendThatThrowsIsAnAnswerToo() {
        producer.sendException = new TimeoutException("the buffer is full");
        publish("a", "b");
        assertThat(pauses.queued()).isEqualTo(1);
        producer.sendException = null;
        runAll();
        producer.completeNext();
        producer.completeNext();
        assertThat(heard.words).containsExactly("wanted?", "acknowledged");
    }

    /** A dead-letter topic that is missing must not cost the workers that other customers need. */
    @Test
    void aTopicThatCanNotBeReachedIsTriedByOneAtATimeAndNotOnTheCallersThread() {
        publish("a");
        producer.errorNext(new TimeoutException("topic out is not there"));
        publish("b");
        publish("c");
        assertThat(sent()).as("on the caller's thread").containsExactly("a");
        assertThat(probes.queued()).as("probes").isEqualTo(1);

        publisher.publish(List.of(new ProducerRecord<>("elsewhere", "d".getBytes(UTF_8))), heard);
        assertThat(sent()).as("another topic goes on").containsExactly("a", "d");

        probes.runAll();
        assertThat(sent()).containsExactly("a", "d", "b");
        producer.completeNext();
        producer.completeNext();
        publish("e");
        assertThat(sent()).as("it is there again").endsWith("e");
    }

    @Test
    void whatNobodyWantsAnyMoreIsNotSentAgain() {
        publish("a");
        producer.errorNext(new TimeoutException("away"));
        heard.wanted = false;
        pauses.runAll();
        assertThat(sent()).containsExactly("a");
        assertThat(heard.words).containsExactly("wanted?");
    }

    private void runAll() {
        pauses.runAll();
        probes.runAll();
    }

    private void publish(String... values) {
        publisher.publish(
                Arrays.stream(values)
                        .map(value -> new ProducerRecord<byte[], byte[]>("out", value.getBytes(UTF_8)))
                        .toList(),
                heard);
    }

    private List<String> sent() {
        return producer.history().stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }

    private static final class Heard implements Publisher.Receipt {
        private final List<String> words = new ArrayList<>();
        private boolean wanted = true;

        @Override
        public void acknowledged() {
            words.add("acknowledged");
        }

        @Override
        public void refused(
                Throwable cause,
                List<ProducerRecord<byte[], byte[]>> refused,
                List<ProducerRecord<byte[], byte[]>> open) {
            words.add("refused " + cause.getMessage());
        }

        @Override
        public boolean wanted() {
            words.add("wanted?");
            return wanted;
        }
    }
}
