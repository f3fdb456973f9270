package dev.lanekeeper.streams;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an audit reads and how strict it is. Immutable.
 *
 * @param sentTopic the topic whose every record must have an outcome, keyed by customer
 * @param outcomesTopic the topic of outcomes, keyed by customer, with as many partitions as {@code sentTopic}
 * @param findingsTopic where findings are written, keyed by customer; {@code null} to have them in the report only
 * @param stores where the audit keeps what it has seen
 * @param clockTolerance how far the clocks of two instances may differ: their intervals may intersect by this much
 * @param grace how long a record may wait for its other half before it is a finding; {@code null} to decide only at the end
 * @param findingsKept how many findings the report quotes, 0 or more; all are counted and all go to the topic
 */
public record AuditSettings(
        String sentTopic,
        String outcomesTopic,
        @Nullable String findingsTopic,
        Stores stores,
        Duration clockTolerance,
        @Nullable Duration grace,
        int findingsKept) {

    /** Where the audit keeps what it has seen. */
    public enum Stores {
        /** In memory, without a changelog: for one run that begins with the first record and is never moved. */
        IN_MEMORY,
        /** On disk with a changelog: survives restarts, and needs {@code processing.guarantee=exactly_once_v2}. */
        PERSISTENT
    }

    /** The default topics, in memory, clocks as one, decided at the end, 20 findings quoted. */
    public static final AuditSettings DEFAULT = new AuditSettings(
            "customer-jobs", "job-outcomes", "audit-findings", Stores.IN_MEMORY, Duration.ZERO, null, 20);

    /** Checks the components; a message names the one at fault and its value. */
    public AuditSettings {
        named("sentTopic", sentTopic);
        named("outcomesTopic", outcomesTopic);
        if (sentTopic.equals(outcomesTopic)) {
            throw new IllegalArgumentException("outcomesTopic must differ from sentTopic: " + outcomesTopic);
        }
        if (findingsTopic != null) {
            named("findingsTopic", findingsTopic);
            if (findingsTopic.equals(sentTopic) || findingsTopic.equals(outcomesTopic)) {
                throw new IllegalArgumentException(
                        "findingsTopic must differ from sentTopic and outcomesTopic: " + findingsTopic);
            }
        }
        Objects.requireNonNull(stores, "stores");
        if (clockTolerance.isNegative()) {
            throw new IllegalArgumentException("clockTolerance must not be negative: " + clockTolerance);
        }
        if (grace != null && (grace.isNegative() || grace.isZero())) {
            throw new IllegalArgumentException("grace must be above zero: " + grace);
        }
        if (findingsKept < 0) {
            throw new IllegalArgumentException("findingsKept must be at least 0: " + findingsKept);
        }
    }

    /** The same with other topics. */
    public AuditSettings withTopics(String sent, String outcomes, @Nullable String findings) {
        return new AuditSettings(sent, outcomes, findings, stores, clockTolerance, grace, findingsKept);
    }

    /** The same with another place for what was seen. */
    public AuditSettings withStores(Stores other) {
        return new AuditSettings(sentTopic, outcomesTopic, findingsTopic, other, clockTolerance, grace, findingsKept);
    }

    /** The same with another tolerance between clocks. */
    public AuditSettings withClockTolerance(Duration tolerance) {
        return new AuditSettings(sentTopic, outcomesTopic, findingsTopic, stores, tolerance, grace, findingsKept);
    }

    /** The same with another grace time. */
    public AuditSettings withGrace(@Nullable Duration other) {
        return new AuditSettings(sentTopic, outcomesTopic, findingsTopic, stores, clockTolerance, other, findingsKept);
    }

    private static void named(String component, String topic) {
        if (topic.isBlank()) {
            throw new IllegalArgumentException(component + " must name a topic: \"" + topic + '"');
        }
    }
}
