package dev.lanekeeper.demo;

import dev.lanekeeper.demo.report.JobLedger;
import dev.lanekeeper.message.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs, outcomes and dead letters once, from the beginning, while they are written, and enters them in a ledger.
 * One thread of its own; {@link #finish} hands the ledger over.
 */
final class TopicsReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final MessageCodec codec = new MessageCodec();
    private final JobLedger ledger = new JobLedger();
    private final DemoTopics topics;
    private final LongConsumer progress;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final CompletableFuture<JobLedger> finished = new CompletableFuture<>();
    private final Thread thread = new Thread(this::readUntilFinished, "demo-reader");
    private final CompletableFuture<@Nullable Void> reached = new CompletableFuture<>();
    private volatile long target = Long.MAX_VALUE;
    private volatile long withOutcome;
    private volatile boolean finishing;
    private volatile boolean stopping;

    /** Begins to read; {@code progress} hears how many jobs have an outcome, on the reader's thread. */
    TopicsReader(Map<String, Object> clientSettings, DemoTopics topics, LongConsumer progress) {
        this.topics = topics;
        this.progress = progress;
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put("enable.auto.commit", "false");
        settings.put("isolation.level", "read_committed");
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        thread.setDaemon(true);
        thread.start();
    }

    /** How many jobs have an outcome so far. Any thread. */
    long withOutcome() {
        return withOutcome;
    }

    /** Completed when so many jobs have an outcome, or with the error that ended the reading early. Any thread. */
    CompletableFuture<?> reached(long jobs) {
        target = jobs;
        return CompletableFuture.anyOf(reached, finished);
    }

    /** Completed with the ledger after {@link #finish}, or with the error that ended the reading early. */
    CompletableFuture<JobLedger> finished() {
        return finished.copy();
    }

    /** Reads what is in the topics now, then no more. */
    CompletableFuture<JobLedger> finish() {
        finishing = true;
        return finished();
    }

    private void readUntilFinished() {
        try (consumer) {
            List<TopicPartition> partitions = topics.all().stream()
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(TopicsReader::partition)
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!stopping && !finishing) {
                poll();
            }
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (!stopping && !hasReached(ends)) {
                poll();
            }
            finished.complete(ledger);
        } catch (RuntimeException e) {
            finished.completeExceptionally(e);
        }
    }

    private static TopicPartition partition(PartitionInfo info) {
        return new TopicPartition(info.topic(), info.partition());
    }

    private boolean hasReached(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private void poll() {
        for (ConsumerRecord<byte[], byte[]> found : consumer.poll(POLL)) {
            enter(found);
        }
        withOutcome = ledger.withOutcome();
        progress.accept(withOutcome);
        if (withOutcome >= target) {
            reached.complete(null);
        }
    }

    private void enter(ConsumerRecord<byte[], byte[]> found) {
        if (found.topic().equals(topics.jobs())) {
            ledger.sent(found.partition(), found.offset(), found.timestamp());
        } else if (found.topic().equals(topics.outcomes())) {
            ledger.outcome(codec.outcome(found.value()), found.timestamp());
        } else {
            ledger.deadLetter(
                    Integer.parseInt(header(found, "lanekeeper.origin.partition")),
                    Long.parseLong(header(found, "lanekeeper.origin.offset")),
                    header(found, "lanekeeper.error.stage"));
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> deadLetter, String name) {
        Header header = deadLetter.headers().lastHeader(name);
        if (header == null) {
            throw new IllegalStateException("a dead letter, " + deadLetter.topic() + "-" + deadLetter.partition()
                    + " offset " + deadLetter.offset() + ", has no header " + name);
        }
        return new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        stopping = true;
        consumer.wakeup();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(POLL.toMillis() * 50);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
