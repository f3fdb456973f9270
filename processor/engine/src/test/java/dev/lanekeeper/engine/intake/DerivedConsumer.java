package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** What a scripted consumer does by its other methods. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the other methods see to it
abstract class DerivedConsumer extends MockConsumer<byte[], byte[]> {
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();

    DerivedConsumer() {
        super("earliest");
    }

    /** It is not among the topics any more. */
    void deleteTopic(String topic) {
        deleted.add(topic);
    }

    @Override
    public Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
        Map<String, List<PartitionInfo>> topics = new HashMap<>();
        assignment().forEach(each -> topics.put(each.topic(), List.of()));
        topics.keySet().removeAll(deleted);
        return topics;
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        partitions.forEach(each -> seek(each, 0));
    }

    @Override
    public void subscribe(Pattern pattern, ConsumerRebalanceListener rebalanceListener) {
        subscribe(Set.of(pattern.pattern()), rebalanceListener);
    }

    @Override
    public void close() {
        close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
