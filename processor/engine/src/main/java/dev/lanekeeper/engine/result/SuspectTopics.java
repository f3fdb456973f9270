package dev.lanekeeper.engine.result;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Topics that a send could not reach in time: missing, or without a leader. A send to one of them blocks its thread until it
 * fails, so one at a time tries it, as a probe, until a send succeeds. Thread-safe.
 */
final class SuspectTopics {
    /** Whether a probe is under way, by topic. */
    private final Map<String, Boolean> probed = new ConcurrentHashMap<>();

    /** Whether {@code topic} was not suspect before. */
    boolean add(String topic) {
        return probed.putIfAbsent(topic, false) == null;
    }

    /** Whether {@code topic} was suspect. */
    boolean clear(String topic) {
        return !probed.isEmpty() && probed.remove(topic) != null;
    }

    /** One of the topics that {@code records} go to, if it is suspect. */
    @Nullable
    String among(List<ProducerRecord<byte[], byte[]>> records) {
        if (!probed.isEmpty()) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                if (probed.containsKey(record.topic())) {
                    return record.topic();
                }
            }
        }
        return null;
    }

    /** {@code false} if somebody else's probe of {@code topic} is under way. */
    boolean beginProbe(String topic) {
        return probed.replace(topic, false, true);
    }

    void endProbe(String topic) {
        probed.replace(topic, true, false);
    }
}
