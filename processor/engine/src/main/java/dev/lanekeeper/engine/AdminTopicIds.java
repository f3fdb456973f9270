package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.TopicIds;
import dev.lanekeeper.engine.offset.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker for topic ids, which a consumer does not tell, with a client that is made for the first question. Where
 * there is no answer, nothing is known, and that is said once. Thread-safe; waits on the executor's threads only.
 */
final class AdminTopicIds implements TopicIds, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AdminTopicIds.class);

    private static final int TIMEOUT_MS = 5_000;

    private final Supplier<? extends Admin> admins;
    private final Executor executor;
    private final AtomicReference<@Nullable Admin> admin = new AtomicReference<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile boolean closed;

    AdminTopicIds(Supplier<? extends Admin> admins, Executor executor) {
        this.admins = admins;
        this.executor = executor;
    }

    @Override
    public CompletableFuture<Map<String, Origin>> of(Set<String> topics) {
        CompletableFuture<Map<String, Origin>> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> answer.complete(known(topics)));
        } catch (RejectedExecutionException e) { // closed
            answer.complete(Map.of());
        } catch (Throwable t) { // no thread to be had; nothing may come out of a rebalance, inside which this is asked
            sayOnce(t);
            answer.complete(Map.of());
        }
        return answer;
    }

    private Map<String, Origin> known(Set<String> topics) {
        Map<String, Origin> known = new HashMap<>();
        try {
            Admin open = open();
            KafkaFuture<String> cluster = open.describeCluster(new DescribeClusterOptions().timeoutMs(TIMEOUT_MS))
                    .clusterId();
            Map<String, KafkaFuture<TopicDescription>> descriptions = open.describeTopics(
                            topics, new DescribeTopicsOptions().timeoutMs(TIMEOUT_MS))
                    .topicNameValues();
            int clusterDigest = digest(String.valueOf(cluster.get()));
            Throwable refusal = null;
            for (Map.Entry<String, KafkaFuture<TopicDescription>> each : descriptions.entrySet()) {
                try {
                    Uuid id = each.getValue().get().topicId();
                    if (!id.equals(Uuid.ZERO_UUID)) { // of a broker that has none
                        known.put(
                                each.getKey(),
                                new Origin(clusterDigest, id.getMostSignificantBits(), id.getLeastSignificantBits()));
                    }
                } catch (ExecutionException e) {
                    refusal = e.getCause() instanceof UnknownTopicOrPartitionException ? refusal : e.getCause();
                }
            }
            sayOnce(refusal);
        } catch (ExecutionException e) {
            sayOnce(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable t) { // settings it doesn't take, a class that is missing; closed meanwhile
            sayOnce(t);
        }
        return known;
    }

    private void sayOnce(@Nullable Throwable refusal) {
        if (refusal == null) {
            failing.set(false);
        } else if (!closed && failing.compareAndSet(false, true)) {
            log.warn(
                    "can't read the ids of topics, so one that is deleted and made anew under its name is taken for"
                            + " the same: {}",
                    refusal.toString());
        }
    }

    private Admin open() {
        Admin open = admin.get();
        if (open != null) {
            return open;
        }
        Admin made = Objects.requireNonNull(admins.get(), "no client");
        if (!admin.compareAndSet(null, made)) {
            made.close(Duration.ZERO);
        }
        Admin current = admin.get();
        if (closed || current == null) {
            close();
            throw new IllegalStateException("closed");
        }
        return current;
    }

    private static int digest(String clusterId) {
        byte[] bytes = clusterId.getBytes(StandardCharsets.UTF_8);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length);
        return (int) checksum.getValue();
    }

    @Override
    public void close() {
        closed = true;
        Admin open = admin.getAndSet(null);
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }
}
