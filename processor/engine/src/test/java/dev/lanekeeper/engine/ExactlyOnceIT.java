package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import dev.lanekeeper.testkit.process.ChildJvm;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that copy a topic are killed again and again: readers of committed records see each copy once, in order. */
@ExtendWith(Seed.class)
@Timeout(240)
class ExactlyOnceIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RECORDS = 12_000;
    private static final int CUSTOMERS = 60;
    private static final int KILLS = 4;
    private static final int PARTITIONS = 4;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @RegisterExtension
    final ChildJvms jvms = new ChildJvms();

    private final String source = KAFKA.uniqueName("source");
    private final String target = KAFKA.uniqueName("target");
    private final String group = KAFKA.uniqueName("copy");

    @Test
    void eachCopyIsSeenOnceInOrderWhoeverIsKilled(RandomGenerator random) {
        KAFKA.createTopic(source, PARTITIONS);
        KAFKA.createTopic(target, PARTITIONS);
        send();
        List<ChildJvm> children = new ArrayList<>();
        for (int id = 0; id < 2; id++) {
            children.add(launch(id));
        }
        for (int kill = 1; kill <= KILLS; kill++) {
            int enough = RECORDS * kill / (KILLS + 2);
            Awaitility.await().atMost(PATIENCE).until(() -> copies().size() >= enough);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(2))
                    .until(this::aTransactionIsOpen);
            List<Integer> victims = kill % 2 == 0 ? List.of(0, 1) : List.of(random.nextInt(children.size()));
            victims.forEach(victim -> children.get(victim).kill9());
            victims.forEach(victim -> children.set(victim, launch(victim)));
        }
        Awaitility.await().atMost(PATIENCE.plus(PATIENCE)).until(() -> KAFKA.lag(group, source) == 0);
        List<ConsumerRecord<byte[], byte[]>> copies = copies();
        assertThat(wrong(copies)).isEmpty();
        assertThat(copies).hasSize(RECORDS);
        assertThat(KAFKA.readToEnd(target, IsolationLevel.READ_UNCOMMITTED))
                .as("a test in which nothing was aborted proves little")
                .hasSizeGreaterThan(RECORDS);
    }

    @Test
    void theCheckFindsWhatIsPlanted() {
        assertThat(wrong(List.of(copy("a", "1"), copy("b", "2"), copy("a", "3"))))
                .isEmpty();
        assertThat(wrong(List.of(copy("a", "1"), copy("a", "1")))).hasSize(1);
        assertThat(wrong(List.of(copy("a", "2"), copy("a", "1")))).hasSize(1);
    }

    /** Whether the target has records that readers of committed ones can't see yet. */
    private boolean aTransactionIsOpen() {
        return !ends(IsolationLevel.READ_COMMITTED).equals(ends(IsolationLevel.READ_UNCOMMITTED));
    }

    private Map<TopicPartition, Long> ends(IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            latest.put(new TopicPartition(target, partition), OffsetSpec.latest());
        }
        Map<TopicPartition, Long> ends = new HashMap<>();
        KAFKA.admin()
                .listOffsets(latest, new ListOffsetsOptions(isolation))
                .all()
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .forEach((partition, info) -> ends.put(partition, info.offset()));
        return ends;
    }

    private ChildJvm launch(int id) {
        ChildJvm child =
                jvms.start(ExactlyOnceChild.class, KAFKA.bootstrapServers(), source, target, group, group + "-" + id);
        child.awaitLine("running", PATIENCE);
        return child;
    }

    private void send() {
        List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            batch.add(new ProducerRecord<>(
                    source,
                    ("c-" + i % CUSTOMERS).getBytes(UTF_8),
                    Integer.toString(i).getBytes(UTF_8)));
        }
        KAFKA.produce(batch);
    }

    private List<ConsumerRecord<byte[], byte[]>> copies() {
        return KAFKA.readToEnd(target, IsolationLevel.READ_COMMITTED);
    }

    /** Copies that are there twice, and copies after a later one of their customer. */
    private static List<String> wrong(List<ConsumerRecord<byte[], byte[]>> copies) {
        List<String> found = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        Map<String, Integer> latest = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> copy : copies) {
            String customer = new String(copy.key(), UTF_8);
            int number = Integer.parseInt(new String(copy.value(), UTF_8));
            if (!seen.add(number)) {
                found.add(number + " twice");
            } else if (latest.getOrDefault(customer, -1) > number) {
                found.add(number + " of " + customer + " after " + latest.get(customer));
            } else {
                latest.put(customer, number);
            }
        }
        return found;
    }

    private static ConsumerRecord<byte[], byte[]> copy(String customer, String number) {
        return new ConsumerRecord<>("target", 0, 0, customer.getBytes(UTF_8), number.getBytes(UTF_8));
    }
}
