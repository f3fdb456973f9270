package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import dev.lanekeeper.testkit.process.ChildJvm;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.AlterConsumerGroupOffsetsResult;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One record never ends and 100,000 are done behind it. What is done again after a kill, and after a close. */
@Timeout(180)
@ExtendWith(Seed.class)
class AheadMapIT {
    private static final int RECORDS = 100_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @RegisterExtension
    final ChildJvms jvms = new ChildJvms();

    @TempDir
    Path folder;

    /** At the end of an interval without news: nothing at all. */
    @Test
    void afterAKillWhenAllIsCommittedNothingIsDoneAgain(Random random) throws Exception {
        try (Traffic traffic = new Traffic(KAFKA, random, 1)) {
            sendBehindAStuckOne(traffic);
            ChildJvm first = engine(traffic, "first");
            Awaitility.await().atMost(PATIENCE).until(() -> handled("first").cardinality() == RECORDS);
            Awaitility.await().atMost(PATIENCE).until(() -> doneAhead(traffic) == RECORDS);
            first.kill9();
            KAFKA.produce(List.of(record(traffic, "last", RECORDS)));
            engine(traffic, "second");
            Awaitility.await().atMost(PATIENCE).until(() -> handled("second").get(RECORDS));
            assertThat(handled("second").cardinality()).isEqualTo(1);
        }
    }

    /** In the middle of work: what ended since the last commit, which nobody can know of, and not one more. */
    @Test
    void afterAKillExactlyWhatWasNotCommittedIsDoneAgain(Random random) throws Exception {
        try (Traffic traffic = new Traffic(KAFKA, random, 1)) {
            sendBehindAStuckOne(traffic);
            ChildJvm first = engine(traffic, "first");
            Awaitility.await().atMost(PATIENCE).until(() -> doneAhead(traffic) >= RECORDS / 10);
            first.kill9();
            long committed = doneAhead(traffic);
            BitSet handledFirst = handled("first");
            engine(traffic, "second");
            Awaitility.await().atMost(PATIENCE).until(() -> doneAhead(traffic) == RECORDS);
            BitSet both = handled("second");
            both.or(handledFirst);
            assertThat(both.cardinality()).isEqualTo(RECORDS);
            BitSet again = handled("second");
            again.and(handledFirst);
            assertThat((long) again.cardinality()).isEqualTo(handledFirst.cardinality() - committed);
        }
    }

    /** SIGTERM and rolling updates: what is done is committed, however much of it lies behind the one that is not. */
    @Test
    void afterACloseNothingThatWasDoneIsDoneAgain(Random random) throws Exception {
        try (Traffic traffic = new Traffic(KAFKA, random, 3)) {
            sendBehindAStuckOne(traffic);
            Set<Integer> first = ConcurrentHashMap.newKeySet();
            Set<Integer> second = ConcurrentHashMap.newKeySet();
            LaneKeeper<String, String> one = keeper(traffic, first);
            Awaitility.await().atMost(PATIENCE).until(() -> first.size() > RECORDS / 5);
            one.close(Duration.ofMillis(300)); // the stuck one doesn't end
            assertThat(one.view().completed()).isEqualTo(first.size());
            int before = first.size();
            LaneKeeper<String, String> two = keeper(traffic, second);
            Awaitility.await().atMost(PATIENCE).until(() -> first.size() + second.size() >= RECORDS);
            two.close(Duration.ofMillis(300));
            assertThat(first).hasSize(before);
            second.retainAll(first);
            assertThat(second).as("done again").isEmpty();
            assertThat(two.view().doneBefore()).isPositive();
        }
    }

    /** Edge case 37 with a broker: metadata that somebody else has left. Begins at 5, not at 6. */
    @Test
    void metadataOfOthersIsIgnored(Random random) throws Exception {
        try (Traffic traffic = new Traffic(KAFKA, random, 1)) {
            sendRecords(traffic, 10);
            AlterConsumerGroupOffsetsResult altered = KAFKA.admin()
                    .alterConsumerGroupOffsets(
                            traffic.group,
                            Map.of(new TopicPartition(traffic.topic, 0), new OffsetAndMetadata(5, "AgAAAXzS5iYAAA==")));
            altered.all().get();
            Set<Integer> handled = ConcurrentHashMap.newKeySet();
            try (LaneKeeper<String, String> keeper = keeper(traffic, handled)) {
                traffic.awaitNoLag();
                assertThat(handled).containsExactlyInAnyOrder(5, 6, 7, 8, 9);
                assertThat(keeper.view().doneBefore()).isZero();
            }
        }
    }

    private static LaneKeeper<String, String> keeper(Traffic traffic, Set<Integer> handled) {
        LaneKeeper<String, String> keeper = traffic.builder("one")
                .asyncHandler(delivery -> {
                    if (StuckRecordEngine.STUCK.equals(delivery.key())) {
                        return new CompletableFuture<>();
                    }
                    assertThat(handled.add(Integer.parseInt(String.valueOf(delivery.value()))))
                            .isTrue();
                    return CompletableFuture.completedFuture(null);
                })
                .build();
        keeper.start();
        return keeper;
    }

    private ChildJvm engine(Traffic traffic, String name) {
        return jvms.start(
                List.of("-Xmx96m"), // not even a tenth of this could be kept until the stuck one ends
                StuckRecordEngine.class,
                KAFKA.bootstrapServers(),
                traffic.topic,
                traffic.group,
                folder.resolve(name).toString());
    }

    private BitSet handled(String name) throws IOException {
        BitSet handled = new BitSet();
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
            ByteBuffer numbers = ByteBuffer.wrap(Files.readAllBytes(file));
            while (numbers.remaining() >= 4) {
                handled.set(numbers.getInt());
            }
        }
        return handled;
    }

    /** How many records the group knows to be done ahead of the one that is stuck. */
    private static long doneAhead(Traffic traffic) {
        TopicPartition partition = new TopicPartition(traffic.topic, 0);
        OffsetAndMetadata committed = KAFKA.committedOffsets(traffic.group).get(partition);
        if (committed == null) {
            return 0;
        }
        assertThat(committed.offset()).isZero();
        try {
            AheadMap map = new AheadMapCodec(traffic.topic, 0)
                    .note(committed.metadata(), 0)
                    .map();
            return map == null ? 0 : map.end() - map.base() - map.openCount();
        } catch (UnreadableMapException e) {
            throw new AssertionError(e);
        }
    }

    private static void sendBehindAStuckOne(Traffic traffic) {
        KAFKA.produce(List.of(record(traffic, StuckRecordEngine.STUCK, RECORDS + 1)));
        sendRecords(traffic, RECORDS);
    }

    private static void sendRecords(Traffic traffic, int records) {
        List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            batch.add(record(traffic, "c-" + i % 1_000, i));
            if (batch.size() == 10_000 || i == records - 1) {
                KAFKA.produce(batch);
                batch.clear();
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> record(Traffic traffic, String key, int number) {
        return new ProducerRecord<>(
                traffic.topic, key.getBytes(UTF_8), Integer.toString(number).getBytes(UTF_8));
    }
}
