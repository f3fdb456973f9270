package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.OffsetTracker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts into words what is done: for each partition the frontier and, in its metadata, what is done ahead and of which topic.
 * Confined to the poll thread.
 */
final class CommitReports {
    private static final Logger log = LoggerFactory.getLogger(CommitReports.class);

    private int mapCharacters = AheadMapCodec.MAX_CHARACTERS;

    /**
     * What is told of a partition, all of one moment.
     *
     * @param assignment the partition as it is owned now
     * @param offset its frontier, with the leader epoch below and the map of what is done ahead
     * @param changes how often it had changed
     */
    record Report(Assignment assignment, OffsetAndMetadata offset, long changes) {
        void confirm() {
            assignment.committed(offset.offset(), changes);
        }
    }

    /** A report for each partition of which the broker has not heard all. */
    List<Report> of(Collection<Assignment> assignments) {
        List<Report> reports = new ArrayList<>();
        for (Assignment assignment : assignments) {
            if (assignment.uncommitted()) {
                reports.add(of(assignment));
            }
        }
        return reports;
    }

    private Report of(Assignment assignment) {
        OffsetTracker<Routed> tracker = assignment.tracker();
        AheadMap ahead = tracker.doneAhead();
        String note = assignment.mapCodec().write(ahead, assignment.origin(), mapCharacters);
        assignment.mapBytes(ahead.isEmpty() ? 0 : note.length());
        int leaderEpoch = assignment.frontierLeaderEpoch();
        Optional<Integer> epoch = leaderEpoch < 0 ? Optional.empty() : Optional.of(leaderEpoch);
        return new Report(assignment, new OffsetAndMetadata(ahead.base(), epoch, note), tracker.changes());
    }

    static Map<TopicPartition, OffsetAndMetadata> offsets(List<Report> reports) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        reports.forEach(report -> offsets.put(report.assignment().topicPartition(), report.offset()));
        return offsets;
    }

    /** The broker was told to take less than usual. Without maps everything works, but for what is repeated after a crash. */
    void shrinkMaps() {
        mapCharacters /= 2;
        log.warn(
                "the broker refuses the map of what is done out of order; "
                        + "from now on it has at most {} characters (offset.metadata.max.bytes is usually {})",
                mapCharacters,
                AheadMapCodec.MAX_CHARACTERS);
    }
}
