package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;

/** The poll loop, one pass at a time on the test's thread, with records that end when a test says so. */
abstract class IntakeScene {
    static final TopicPartition P0 = new TopicPartition("jobs", 0);
    static final TopicPartition P1 = new TopicPartition("jobs", 1);
    static final Duration INTERVAL = Duration.ofSeconds(1);

    final ScriptedConsumer consumer = new ScriptedConsumer(false);
    final Completions completions = new Completions();
    final IntakeCounters counters = new IntakeCounters();
    final ManualClock clock = new ManualClock();
    final List<Parcel> parcels = new ArrayList<>();
    final TopicIds ids;
    final Intake intake;

    IntakeScene(int bufferRecords, long bufferBytes) {
        this(bufferRecords, bufferBytes, TopicIds.UNKNOWN);
    }

    IntakeScene(int bufferRecords, long bufferBytes, TopicIds ids) {
        this.ids = ids;
        intake = new Intake(
                consumer,
                (record, assignment, sequence) -> {
                    parcels.add(new Parcel(record, assignment, sequence));
                    return parcels.get(parcels.size() - 1);
                },
                completions,
                new IntakeSettings(bufferRecords, bufferBytes, 24_000, INTERVAL, Duration.ZERO),
                counters,
                clock.nanos(),
                ids,
                null);
    }

    @BeforeEach
    final void subscribe() {
        consumer.subscribe(List.of("jobs"), intake.rebalanceListener());
    }

    final void receive(TopicPartition partition, int records) {
        for (int i = 0; i < records; i++) {
            consumer.append(partition, "k" + i, "v" + i);
        }
        consumer.assign(partition);
        intake.runOnce();
        assertThat(parcels).hasSize(records);
    }

    /** The offsets of the first partition are the places in the list, until it is read again. */
    final void finish(int... places) {
        for (int place : places) {
            parcels.get(place).running = false;
            completions.offer(parcels.get(place));
        }
    }

    final void passAndCommit() {
        clock.advance(INTERVAL);
        intake.runOnce();
    }

    final OffsetAndMetadata lastCommit() {
        List<Map<TopicPartition, OffsetAndMetadata>> commits = consumer.commits();
        OffsetAndMetadata last = commits.get(commits.size() - 1).get(P0);
        assertThat(last).isNotNull();
        return last;
    }
}
