package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.Origin;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** An intake whose partition 0 is read, done in some order, committed, and read again by its next owner. */
abstract class MapScene extends IntakeScene {
    MapScene() {
        this(TopicIds.UNKNOWN);
    }

    MapScene(TopicIds ids) {
        super(1_000_000, 1 << 30, ids);
    }

    /** From {@code base} to {@code end}, with only this offset open. */
    static String mapOf(String topic, int partition, long base, int end, long open) {
        return mapOf(topic, partition, base, end, open, null);
    }

    /** The same with the topic it was made for. */
    static String mapOf(String topic, int partition, long base, int end, long open, @Nullable Origin origin) {
        Assignment assignment = new Assignment(new TopicPartition(topic, partition), 1);
        assignment.resume(base, 7, null);
        for (long offset = base; offset < end; offset++) {
            Parcel parcel = new Parcel(
                    ScriptedLog.record(assignment.topicPartition(), offset),
                    assignment,
                    assignment.tracker().nextSequence());
            assignment.register(offset, 7, parcel);
            if (offset != open) {
                assignment.complete(parcel);
            }
        }
        return assignment.mapCodec().write(assignment.tracker().doneAhead(), origin, AheadMapCodec.MAX_CHARACTERS);
    }

    final void begin(OffsetAndMetadata committed) {
        consumer.inGroup(group -> group.put(P0, committed));
        consumer.assign(P0);
        passes(20);
    }

    final void comeAgain() {
        intake.runOnce();
        parcels.clear();
        consumer.assign(P0);
        passes(20);
    }

    final void receive(int records) {
        append(records);
        consumer.assign(P0);
        passes(20);
        assertThat(parcels).hasSize(records);
    }

    final void append(int records) {
        for (int i = 0; i < records; i++) {
            consumer.append(P0, "k" + i, "v" + i);
        }
    }

    final void passes(int count) {
        for (int i = 0; i < count; i++) {
            intake.runOnce();
        }
    }

    final OffsetAndMetadata committed() {
        OffsetAndMetadata[] found = new OffsetAndMetadata[1];
        consumer.inGroup(group -> found[0] = group.committed(P0));
        assertThat(found[0]).isNotNull();
        return found[0];
    }

    final @Nullable AheadMap map() {
        if (consumer.committedOffset(P0) < 0) {
            return null;
        }
        try {
            OffsetAndMetadata committed = committed();
            return new AheadMapCodec("jobs", 0)
                    .note(committed.metadata(), committed.offset())
                    .map();
        } catch (UnreadableMapException e) {
            throw new AssertionError(e);
        }
    }
}
