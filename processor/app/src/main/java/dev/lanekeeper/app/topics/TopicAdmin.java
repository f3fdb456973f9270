package dev.lanekeeper.app.topics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates topics and asks about them. Confined to the calling thread, which waits for the broker.
 *
 * <p>Every method throws what Kafka answers, a {@link org.apache.kafka.common.KafkaException}; a broker that does not
 * answer in time is a {@link TimeoutException} of Kafka's.
 */
public final class TopicAdmin {
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

    private final Admin admin;
    private final Duration timeout;

    /** Asks {@code admin}, which the caller closes; waits at most {@code timeout} for each answer. */
    public TopicAdmin(Admin admin, Duration timeout) {
        this.admin = admin;
        this.timeout = timeout;
    }

    /**
     * Creates what is missing of {@code plans}, never alters what is there, and returns when every partition can be
     * written to. In between, an idempotent producer could fail for good.
     */
    public List<TopicResult> create(List<TopicPlan> plans) throws InterruptedException {
        Map<String, Integer> before =
                partitions(plans.stream().map(TopicPlan::name).toList());
        Map<String, Boolean> created = new HashMap<>();
        for (TopicPlan plan : plans) {
            created.put(plan.name(), !before.containsKey(plan.name()) && create(plan));
        }
        awaitLeaders(plans, before);
        // Asked again for those that another process created at the same moment, with partitions of its own choice.
        List<TopicResult> results = new ArrayList<>();
        Map<String, Integer> now =
                partitions(plans.stream().map(TopicPlan::name).toList());
        for (TopicPlan plan : plans) {
            results.add(new TopicResult(
                    plan,
                    Boolean.TRUE.equals(created.get(plan.name())),
                    now.getOrDefault(plan.name(), plan.partitions())));
        }
        return results;
    }

    /** The number of partitions of those of {@code topics} that exist. */
    public Map<String, Integer> partitions(Collection<String> topics) throws InterruptedException {
        Map<String, Integer> partitions = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                partitions.put(
                        topic.getKey(), await(topic.getValue()).partitions().size());
            } catch (UnknownTopicOrPartitionException e) {
                // not there: left out
            }
        }
        return partitions;
    }

    private boolean create(TopicPlan plan) throws InterruptedException {
        Optional<Short> copies =
                plan.replicationFactor() < 0 ? Optional.empty() : Optional.of(plan.replicationFactor());
        NewTopic topic = new NewTopic(plan.name(), Optional.of(plan.partitions()), copies).configs(plan.settings());
        try {
            await(admin.createTopics(List.of(topic)).all());
            return true;
        } catch (TopicExistsException e) {
            return false;
        }
    }

    private void awaitLeaders(List<TopicPlan> plans, Map<String, Integer> before) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> questions = new HashMap<>();
        for (TopicPlan plan : plans) {
            int partitions = before.getOrDefault(plan.name(), plan.partitions());
            for (int partition = 0; partition < partitions; partition++) {
                questions.put(new TopicPartition(plan.name(), partition), OffsetSpec.latest());
            }
        }
        long begin = System.nanoTime();
        while (true) {
            try {
                await(admin.listOffsets(questions).all());
                return;
            } catch (RetriableException e) {
                // The client asks again by itself, but not about topics that a broker has not heard of yet.
                if (e instanceof TimeoutException || System.nanoTime() - begin > timeout.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN_QUESTIONS.toNanos());
            }
        }
    }

    private <T> T await(KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("no answer within " + timeout.toMillis() + " ms", e);
        }
    }
}
