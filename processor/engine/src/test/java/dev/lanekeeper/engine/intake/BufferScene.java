package dev.lanekeeper.engine.intake;

import dev.lanekeeper.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** An intake with buffers of a size that each test chooses, and records that end when it says so. */
abstract class BufferScene {
    static final TopicPartition HOT = new TopicPartition("jobs", 0);
    static final TopicPartition COOL = new TopicPartition("jobs", 1);

    /** What one poll brings of a partition. */
    static final int ONE_POLL = 500;

    final ScriptedConsumer consumer = new ScriptedConsumer(false);
    final Completions completions = new Completions();
    final IntakeCounters counters = new IntakeCounters();
    final ManualClock clock = new ManualClock();
    final List<Parcel> parcels = new ArrayList<>();

    final Intake intake(int records, long bytes, int window) {
        Intake intake = new Intake(
                consumer,
                (record, assignment, sequence) -> {
                    parcels.add(new Parcel(record, assignment, sequence));
                    return parcels.get(parcels.size() - 1);
                },
                completions,
                new IntakeSettings(records, bytes, window, Duration.ofSeconds(1), Duration.ZERO),
                counters,
                clock.nanos(),
                TopicIds.UNKNOWN,
                null);
        consumer.subscribe(List.of("jobs"), intake.rebalanceListener());
        return intake;
    }

    final void append(TopicPartition partition, int records, String value) {
        for (int i = 0; i < records; i++) {
            consumer.append(partition, "k" + i, value);
        }
    }

    static void passes(Intake intake, int count) {
        for (int i = 0; i < count; i++) {
            intake.runOnce();
        }
    }
}
