package dev.lanekeeper.engine;

import dev.lanekeeper.engine.parking.KafkaParkingLog;
import dev.lanekeeper.engine.parking.ParkingLog;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.jspecify.annotations.Nullable;

/** Which topics an engine consumes, and where it puts what fails. Confined to the builder's thread. */
final class TopicSettings {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private List<String> names = List.of();
    private @Nullable Pattern pattern;
    private String deadLetters = "dead-letters";
    private @Nullable String parkedRecords;
    private @Nullable ParkingLog parkingLog;

    void names(Collection<String> topics) {
        if (topics.isEmpty() || topics.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("topics must be one or more names: " + topics);
        }
        names = List.copyOf(topics);
        pattern = null;
    }

    void pattern(Pattern pattern) {
        this.pattern = pattern;
        names = List.of();
    }

    void deadLetters(String topic) {
        deadLetters = named("dead-letter", topic);
    }

    String deadLetters() {
        return deadLetters;
    }

    void parkedRecords(String topic) {
        parkedRecords = named("parking", topic);
    }

    void parkingLog(ParkingLog log) {
        parkingLog = log;
    }

    private static String named(String what, String topic) {
        if (!NAME.matcher(topic).matches()) {
            throw new IllegalArgumentException(
                    "the " + what + " topic must be 1 to 249 letters, digits, '.', '_' or '-': \"" + topic + "\"");
        }
        return topic;
    }

    /** Refuses what contradicts itself. {@code parks}: whether failures may park. */
    void check(boolean parks) {
        if (names.isEmpty() && pattern == null) {
            throw new IllegalStateException("topics must be set");
        }
        refuseToConsume("dead-letter", deadLetters);
        if (parks(parks)) {
            refuseToConsume("parking", parkingTopic());
            if (parkingTopic().equals(deadLetters)) {
                throw new IllegalArgumentException(
                        "the parking topic must not be the dead-letter topic: " + deadLetters);
            }
        }
    }

    /** Parked records are replayed outside of the transactions that commit offsets. */
    void refuseToPark(boolean parks, @Nullable String transactionalId) {
        if (transactionalId != null && parks(parks)) {
            throw new IllegalArgumentException("records can't be parked with exactly-once delivery (transactional id \""
                    + transactionalId
                    + "\"): let failures neither park customers, by a rule neither, nor name a topic for "
                    + "parked records; allowed are dead letters and stopped partitions, or at-least-once delivery");
        }
    }

    private void refuseToConsume(String what, String topic) {
        if (names.contains(topic) || (pattern != null && pattern.matcher(topic).matches())) {
            throw new IllegalArgumentException(
                    "the " + what + " topic must not be among the topics that are consumed, or "
                            + "what failed would fail for ever: " + topic);
        }
    }

    private boolean parks(boolean byFailures) {
        return byFailures || parkedRecords != null;
    }

    private String parkingTopic() {
        return parkedRecords == null ? "parked-records" : parkedRecords;
    }

    /** {@code null} if nothing is ever parked. */
    EngineSettings.@Nullable ParkingSettings parking(
            boolean parks, Supplier<? extends Consumer<byte[], byte[]>> readers) {
        if (!parks(parks)) {
            return null;
        }
        ParkingLog log = parkingLog != null ? parkingLog : new KafkaParkingLog(parkingTopic(), readers);
        return new EngineSettings.ParkingSettings(parkingTopic(), log);
    }

    BiConsumer<Consumer<?, ?>, ConsumerRebalanceListener> subscription() {
        Pattern matching = pattern;
        List<String> named = names;
        return matching != null
                ? (to, listener) -> to.subscribe(matching, listener)
                : (to, listener) -> to.subscribe(named, listener);
    }
}
