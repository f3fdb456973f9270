package dev.lanekeeper.engine.parking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is read from the parking topic is what was parked, however far the topic has been cleaned. */
@ExtendWith(Seed.class)
class ParkedTableTest {
    private static final TopicPartition SOURCE = new TopicPartition("jobs", 0);

    /** A topic with histories of customers who are parked, replayed in part and parked again. */
    private static final class Scene {
        private final Random random;
        final List<ParkedRecords.Line> topic = new ArrayList<>();
        final Map<Bytes, Deque<Long>> parked = new HashMap<>();
        private long next;

        Scene(Random random) {
            this.random = random;
        }

        void step() {
            Bytes key = Bytes.wrap(("c" + random.nextInt(3)).getBytes(UTF_8));
            Deque<Long> queue = parked.computeIfAbsent(key, unused -> new ArrayDeque<>());
            if (random.nextBoolean()) {
                queue.add(next);
                topic.add(line(key, next++, false));
            } else if (!queue.isEmpty()) {
                topic.add(line(key, queue.remove(), true));
            }
        }

        /** Takes out some of what a cleaner may: lines that a later one replaces; what is gone, once nothing precedes it. */
        void clean() {
            for (int i = topic.size() - 1; i >= 0; i--) {
                ParkedRecords.Line line = topic.get(i);
                boolean replaced =
                        topic.subList(i + 1, topic.size()).stream().anyMatch(later -> later.offset() == line.offset());
                boolean first = topic.subList(0, i).stream().noneMatch(earlier -> earlier.offset() == line.offset());
                if (random.nextInt(3) == 0 && (replaced || (line.gone() && first))) {
                    topic.remove(i);
                }
            }
        }

        private static ParkedRecords.Line line(Bytes key, long offset, boolean gone) {
            return new ParkedRecords.Line(SOURCE, offset, key, gone, "");
        }
    }

    private static boolean agrees(Scene scene, ParkedTable table) {
        for (Map.Entry<Bytes, Deque<Long>> customer : scene.parked.entrySet()) {
            ParkedTable.Entry entry = table.of(customer.getKey());
            Deque<Long> queue = customer.getValue();
            if (queue.isEmpty() != (entry == null)) {
                return false;
            }
            if (entry != null) {
                boolean sees = entry.last() == queue.getLast()
                        && entry.first() <= queue.getFirst()
                        && scene.topic.subList(0, (int) entry.scanFrom()).stream()
                                .noneMatch(line -> line.offset() == queue.getFirst());
                if (!sees) {
                    return false;
                }
            }
        }
        return true;
    }

    private static ParkedTable read(Scene scene, boolean forgetsWhatIsGone) {
        ParkedTable table = new ParkedTable();
        for (int i = 0; i < scene.topic.size(); i++) {
            ParkedRecords.Line line = scene.topic.get(i);
            if (!line.gone() || !forgetsWhatIsGone) {
                table.read(line, 0, i);
            }
        }
        return table;
    }

    @Test
    void everyStateOfCleaningReadsTheSame(Random random) {
        for (int round = 0; round < 500; round++) {
            Scene scene = new Scene(random);
            for (int i = 0; i < 40; i++) {
                scene.step();
                if (random.nextInt(8) == 0) {
                    scene.clean();
                }
            }
            ParkedTable table = read(scene, false);
            assertThat(agrees(scene, table)).as("%s", scene.topic).isTrue();
        }
    }

    @Test
    void whatWasNotCleanedIsCounted(Random random) {
        Scene scene = new Scene(random);
        for (int i = 0; i < 200; i++) {
            scene.step();
        }
        assertThat(read(scene, false).all())
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.records())
                        .isEqualTo(scene.parked
                                .getOrDefault(entry.laneKey(), new ArrayDeque<>())
                                .size()));
    }

    /** As above, and a second reading into the same table, after one that failed half-way, changes nothing. */
    @Test
    void readingAgainChangesNothing(Random random) {
        for (int round = 0; round < 200; round++) {
            Scene scene = new Scene(random);
            for (int i = 0; i < 40; i++) {
                scene.step();
            }
            ParkedTable table = new ParkedTable();
            int half = random.nextInt(scene.topic.size());
            for (int i = 0; i < half; i++) {
                table.read(scene.topic.get(i), 0, i);
            }
            for (int i = 0; i < scene.topic.size(); i++) {
                table.read(scene.topic.get(i), 0, i);
            }
            assertThat(agrees(scene, table))
                    .as("%s read to %d first", scene.topic, half)
                    .isTrue();
        }
    }

    @Test
    void theCheckFindsATableThatForgetsWhatIsGone() {
        Random random = new Random(1);
        Scene scene = new Scene(random);
        while (scene.topic.stream().noneMatch(ParkedRecords.Line::gone)) {
            scene.step();
        }
        scene.parked.values().forEach(Deque::clear);
        assertThat(agrees(scene, read(scene, true))).isFalse();
    }
}
