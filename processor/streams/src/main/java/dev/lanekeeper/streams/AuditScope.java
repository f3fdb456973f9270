package dev.lanekeeper.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** What there is to audit, as the brokers tell it. Confined to the thread that runs the audit. */
final class AuditScope {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final Admin admin;
    private final IsolationLevel isolation;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final Map<TopicPartition, Long> starts;
    private final int tasks;

    /** Asks for the topics; an {@link AuditException} names the one that is missing or does not fit. */
    AuditScope(Admin admin, IsolationLevel isolation, AuditSettings settings) throws InterruptedException {
        this.admin = admin;
        this.isolation = isolation;
        tasks = partitionCount(settings.sentTopic());
        int outcomePartitions = partitionCount(settings.outcomesTopic());
        if (outcomePartitions != tasks) {
            throw new AuditException("topic " + settings.outcomesTopic() + " must have as many partitions as "
                    + settings.sentTopic() + " (" + tasks + "): " + outcomePartitions);
        }
        if (settings.findingsTopic() != null) {
            partitionCount(settings.findingsTopic());
        }
        for (int partition = 0; partition < tasks; partition++) {
            partitions.add(new TopicPartition(settings.sentTopic(), partition));
            partitions.add(new TopicPartition(settings.outcomesTopic(), partition));
        }
        starts = offsets(OffsetSpec.earliest());
    }

    /** How many partitions each topic has, and so how many tasks the audit. */
    int tasks() {
        return tasks;
    }

    /** The first offset of each partition that was kept when the audit began. */
    Map<TopicPartition, Long> starts() {
        return starts;
    }

    Map<Integer, Long> starts(String topic) {
        return starts.entrySet().stream()
                .filter(start -> start.getKey().topic().equals(topic))
                .collect(Collectors.toMap(start -> start.getKey().partition(), Map.Entry::getValue));
    }

    /** The offset after the last that can be read now, of each partition. */
    Map<TopicPartition, Long> ends() throws InterruptedException {
        return offsets(OffsetSpec.latest());
    }

    /** What {@code group} has committed: unlike what was processed, this is past the markers of transactions too. */
    Map<TopicPartition, Long> committed(String group) throws InterruptedException {
        Map<TopicPartition, Long> committed = new HashMap<>();
        try {
            Map<TopicPartition, OffsetAndMetadata> answer = ask(
                    admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
                    "the offsets of group " + group);
            answer.forEach((partition, offset) -> {
                if (offset != null) {
                    committed.put(partition, offset.offset());
                }
            });
        } catch (AuditException e) {
            if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                throw e;
            }
        }
        return committed;
    }

    /** Deletes the group and the topics that Kafka Streams made for {@code applicationId}. */
    void forget(String applicationId) throws InterruptedException {
        ask(admin.deleteConsumerGroups(Set.of(applicationId)).all(), "the deletion of group " + applicationId);
        Collection<String> internal = new HashSet<>(ask(admin.listTopics().names(), "the topics"));
        internal.removeIf(topic -> !topic.startsWith(applicationId + "-"));
        if (!internal.isEmpty()) {
            ask(admin.deleteTopics(internal).all(), "the deletion of topics " + internal);
        }
    }

    private int partitionCount(String topic) throws InterruptedException {
        try {
            return ask(admin.describeTopics(Set.of(topic)).allTopicNames(), "topic " + topic)
                    .values()
                    .iterator()
                    .next()
                    .partitions()
                    .size();
        } catch (AuditException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new AuditException("topic " + topic + " does not exist; create it, or name the one to audit", e);
            }
            throw e;
        }
    }

    private Map<TopicPartition, Long> offsets(OffsetSpec spec) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        partitions.forEach(partition -> question.put(partition, spec));
        Map<TopicPartition, ListOffsetsResultInfo> answer = ask(
                admin.listOffsets(question, new ListOffsetsOptions(isolation)).all(), "the offsets of the topics");
        Map<TopicPartition, Long> offsets = new HashMap<>();
        answer.forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    private static <T> T ask(KafkaFuture<T> answer, String what) throws InterruptedException {
        try {
            return answer.get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failed(what, e.getCause());
        } catch (TimeoutException e) {
            throw new AuditException(
                    "asked the brokers for " + what + ": no answer within " + ANSWER_TIMEOUT.toSeconds() + " s", e);
        }
    }

    private static AuditException failed(String what, @Nullable Throwable cause) {
        return new AuditException(
                "asked the brokers for " + what + ": " + (cause == null ? "it failed" : cause.getMessage()), cause);
    }
}
