package dev.lanekeeper.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;

/**
 * What a run of the simulator put into the topic; every record in it is acknowledged by the broker. Immutable.
 *
 * @param topic where it went
 * @param seed of the workload; the same seed and settings give the same jobs again
 * @param total how many records, poison included
 * @param refused how many of them are jobs of the poison kind
 * @param undecodable how many of them are no jobs at all
 * @param startedAt when the first record was about to be sent
 * @param duration from then until the last acknowledgement
 * @param stoppedEarly whether an interrupt ended the run before the workload was through
 * @param perCustomer each customer's share, by id
 */
public record SentReport(
        String topic,
        long seed,
        long total,
        long refused,
        long undecodable,
        Instant startedAt,
        Duration duration,
        boolean stoppedEarly,
        SortedMap<String, CustomerShare> perCustomer) {

    /** How many records cannot become a done job. */
    public long poison() {
        return refused + undecodable;
    }

    /** Records per second over the whole duration. */
    public double recordsPerSecond() {
        return duration.isZero() ? total : total * 1e9 / duration.toNanos();
    }

    /** The report without the customers, as one JSON object over several lines. */
    public String summaryJson() {
        return summary().toPrettyString();
    }

    /** The whole report as one JSON object over several lines. */
    public String json() {
        ObjectNode all = summary();
        ObjectNode customers = all.putObject("perCustomer");
        perCustomer.forEach((id, share) ->
                customers.putObject(id).put("records", share.records()).put("crc32c", share.crc32c()));
        return all.toPrettyString();
    }

    private ObjectNode summary() {
        ObjectNode node = new ObjectNode(JsonNodeFactory.instance);
        node.put("topic", topic).put("seed", seed).put("total", total);
        node.putObject("poison").put("refused", refused).put("undecodable", undecodable);
        node.put("customers", perCustomer.size())
                .put("startedAt", startedAt.toString())
                .put("durationMs", duration.toMillis())
                .put("recordsPerSecond", Math.round(recordsPerSecond()))
                .put("stoppedEarly", stoppedEarly);
        return node;
    }
}
