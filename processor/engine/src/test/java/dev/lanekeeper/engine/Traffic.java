package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;

/**
 * A topic of a test's own on a broker, what was sent to it, and handlers that finish out of order and tell a ledger. The
 * value of a record is its number; a customer's numbers ascend. Thread-safe but for {@link #send}.
 */
final class Traffic implements AutoCloseable {
    private final KafkaFixture kafka;
    private final Random random;
    private final KeyOrderLedger<String> ledger = new KeyOrderLedger<>();
    private final ScheduledExecutorService elsewhere = new ScheduledThreadPoolExecutor(3);
    final String topic;
    final String deadLetters;
    final String group;
    private int sent;

    Traffic(KafkaFixture kafka, Random random, int partitions) {
        this.kafka = kafka;
        this.random = random;
        topic = kafka.uniqueName("jobs");
        deadLetters = kafka.uniqueName("dead");
        group = kafka.uniqueName("group");
        kafka.createTopic(topic, partitions);
        kafka.createTopic(deadLetters, 1);
    }

    KeyOrderLedger<String> ledger() {
        return ledger;
    }

    /** Everything that an engine of this group needs but its handler. */
    LaneKeeperBuilder<String, String> builder(String name) {
        return LaneKeeper.<String, String>builder()
                .name(name)
                .kafka(kafka.clientSettings())
                .kafka(Map.of("group.id", group))
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .deadLetters(deadLetters)
                .commitInterval(Duration.ofMillis(50));
    }

    /** Sends so many records of so many customers, in random turns. */
    void send(int records, int customers) {
        List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            String key = "c-" + random.nextInt(customers);
            ledger.sent(key, sent);
            batch.add(new ProducerRecord<>(
                    topic, key.getBytes(UTF_8), Integer.toString(sent++).getBytes(UTF_8)));
        }
        kafka.produce(batch);
    }

    /** Works for a moment on the calling thread. */
    void handle(String engine, Delivery<String, String> delivery) {
        started(engine, delivery);
        LockSupport.parkNanos(
                TimeUnit.MICROSECONDS.toNanos(20 + delivery.record().offset() % 7 * 40));
        ended(engine, delivery);
    }

    /** Ends between 0 and 4 ms later, on another thread. */
    CompletableFuture<Void> handleLater(String engine, Delivery<String, String> delivery) {
        return handleIn(number(delivery) * 31 % 5, engine, delivery);
    }

    /** Ends so much later, on another thread. */
    CompletableFuture<Void> handleIn(long millis, String engine, Delivery<String, String> delivery) {
        started(engine, delivery);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Runnable finish = () -> {
            ended(engine, delivery);
            end.complete(null);
        };
        var unused = elsewhere.schedule(finish, millis, TimeUnit.MILLISECONDS);
        return end;
    }

    private void started(String engine, Delivery<String, String> delivery) {
        ledger.started(String.valueOf(delivery.key()), number(delivery), life(engine, delivery));
    }

    private void ended(String engine, Delivery<String, String> delivery) {
        ledger.ended(String.valueOf(delivery.key()), number(delivery), life(engine, delivery));
    }

    /** One engine's ownership of one partition. */
    private static String life(String engine, Delivery<?, ?> delivery) {
        return engine + "/" + delivery.record().partition() + "@" + delivery.epoch();
    }

    private static long number(Delivery<String, String> delivery) {
        return Long.parseLong(String.valueOf(delivery.value()));
    }

    void awaitAllHandled() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(ledger::isComplete);
    }

    /** Waits until everything is committed, markers of transactions included. */
    void awaitNoLag() {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> kafka.lag(group, topic), lag -> lag == 0);
    }

    @Override
    public void close() {
        elsewhere.shutdownNow();
    }
}
