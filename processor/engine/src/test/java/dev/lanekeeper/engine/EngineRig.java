package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.intake.ScriptedConsumer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One engine on a scripted consumer and Kafka's mock producer, with the partitions 0 and 1 of {@code jobs}. Commits come
 * quickly and retries at once, so that tests wait for conditions only. To be registered as an extension, which closes it.
 */
final class EngineRig implements AfterEachCallback {
    static final TopicPartition P0 = new TopicPartition("jobs", 0);
    static final TopicPartition P1 = new TopicPartition("jobs", 1);
    static final RetryPolicy AT_ONCE = new RetryPolicy(3, Duration.ZERO, Duration.ofSeconds(30), 0);

    final ScriptedConsumer consumer = new ScriptedConsumer(true);
    final Puppet puppet = new Puppet();
    private final MockProducer<byte[], byte[]> producer;
    private @Nullable LaneKeeper<String, String> keeper;

    private EngineRig(boolean acknowledges) {
        producer = new MockProducer<>(acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Waits for conditions that come quickly or not at all. */
    static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
    }

    /** Its producer acknowledges at once. */
    static EngineRig acknowledging() {
        return new EngineRig(true);
    }

    /** Its producer acknowledges when the test says so. */
    static EngineRig silent() {
        return new EngineRig(false);
    }

    MockProducer<byte[], byte[]> producer() {
        return producer;
    }

    /** Everything needed but a handler. */
    LaneKeeperBuilder<String, String> builder() {
        return LaneKeeper.<String, String>builder()
                .topics("jobs")
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .retry(AT_ONCE)
                .commitInterval(Duration.ofMillis(5))
                .drainTimeout(Duration.ofSeconds(20))
                .deadLetters("dead")
                .consumer(() -> consumer)
                .producer(() -> producer);
    }

    /** Starts an engine and gives it partition 0. */
    LaneKeeper<String, String> start(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        LaneKeeper<String, String> started = settings.apply(builder()).build();
        keeper = started;
        started.start();
        await().until(() -> consumer.subscribed());
        consumer.assign(P0);
        return started;
    }

    LaneKeeper<String, String> startBlocking() {
        return start(settings -> settings.handler(puppet.blocking()));
    }

    LaneKeeper<String, String> startAsync() {
        return start(settings -> settings.asyncHandler(puppet.async()));
    }

    /** Appends to partition 0; keys and values as {@code key=value}. */
    void send(String... records) {
        for (String record : records) {
            String[] parts = record.split("=", 2);
            consumer.append(P0, parts[0], parts[1]);
        }
    }

    void awaitCommitted(long offset) {
        await().until(() -> consumer.committedOffset(P0), committed -> committed == offset);
    }

    /** Waits until the poll thread has gone round: what it was going to do by itself, it has done. */
    void awaitPasses(int passes) {
        for (int i = 0; i < passes; i++) {
            CountDownLatch passed = new CountDownLatch(1);
            consumer.inPoll(passed::countDown);
            await().until(() -> passed.getCount() == 0);
        }
    }

    /** The same once, for an engine that may end meanwhile. */
    void awaitSomePass() {
        CountDownLatch passed = new CountDownLatch(1);
        consumer.inPoll(passed::countDown);
        await().until(() -> passed.getCount() == 0 || consumer.closed());
    }

    /** Revokes partition 0, which has begun when this returns; the latch falls when the callback has come back. */
    CountDownLatch revoke() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        consumer.inPoll(begun::countDown);
        consumer.revoke(P0);
        consumer.inPoll(done::countDown);
        await().until(() -> begun.getCount() == 0);
        return done;
    }

    /** What the producer got for a topic, as text. */
    List<String> sent(String topic) {
        return records(topic).stream()
                .map(record -> record.value() == null ? "null" : new String(record.value(), UTF_8))
                .toList();
    }

    List<ProducerRecord<byte[], byte[]>> records(String topic) {
        return producer.history().stream()
                .filter(record -> record.topic().equals(topic))
                .toList();
    }

    /** Waits for the dead letter with this number, from 0; answers its headers. */
    Map<String, String> deadLetter(int number) {
        await().until(() -> records("dead").size() > number);
        Map<String, String> headers = new LinkedHashMap<>();
        records("dead").get(number).headers().forEach(header -> headers.put(header.key(), text(header.value())));
        return headers;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    void close() {
        puppet.finishAll();
        if (!producer.closed()) {
            producer.flush(); // answers what is on its way
        }
        if (keeper != null) {
            consumer.inPoll(() -> {}); // no need to wait for the poll to end
            keeper.close(Duration.ofMillis(100));
        }
    }
}
