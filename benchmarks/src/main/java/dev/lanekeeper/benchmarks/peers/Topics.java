package dev.lanekeeper.benchmarks.peers;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Makes topics, fills them, and looks what was committed. Not thread-safe. */
final class Topics implements AutoCloseable {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_CREATION_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String bootstrap;
    private final Admin admin;

    Topics(String bootstrap) {
        this.bootstrap = bootstrap;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    /** Makes a topic and waits until its partitions have leaders. */
    void create(String topic, int partitions) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                .all()
                .get();
        awaitLeaders(topic, partitions); // an idempotent producer that is earlier than they are loses its order
    }

    private void awaitLeaders(String topic, int partitions) throws ExecutionException, InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try {
                ends(topic, partitions);
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
                        || System.nanoTime() - begin > LONGEST_CREATION_NANOS) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // the broker has not heard of it yet
            }
        }
    }

    void delete(String topic) throws ExecutionException, InterruptedException {
        admin.deleteTopics(List.of(topic)).all().get();
    }

    /** Fills a topic as fast as it goes, or at the workload's pace. */
    void fill(String topic, Workload workload) {
        AtomicReference<Exception> refused = new AtomicReference<>();
        try (Producer<String, byte[]> producer = producer(workload.paced() ? 0 : 20)) {
            int[] keys = workload.keySequence();
            int[] positions = new int[workload.keys()];
            producer.partitionsFor(topic);
            long begin = System.nanoTime();
            for (int i = 0; i < keys.length; i++) {
                long due = workload.paced() ? awaitTurn(begin, i, workload.rate()) : begin;
                int key = keys[i];
                byte[] value = new Stamp(key, positions[key]++, i, due).value();
                var unused = producer.send(new ProducerRecord<>(topic, key(key), value), (sent, failure) -> {
                    if (failure != null) {
                        refused.set(failure);
                    }
                });
            }
        }
        if (refused.get() != null) {
            throw new KafkaException("a record of " + topic + " was refused", refused.get());
        }
    }

    /** Waits until record {@code index} is due, and says when that was: a stall of the producer counts as latency. */
    private static long awaitTurn(long begin, int index, int rate) {
        long due = begin + NANOS_PER_SECOND / 5 + index * NANOS_PER_SECOND / rate;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return due;
    }

    private static String key(int number) {
        return String.format(Locale.ROOT, "cust-%09d", number);
    }

    private Producer<String, byte[]> producer(int lingerMillis) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", lingerMillis, "batch.size", 65_536),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    /** How many records a topic has. */
    long ends(String topic, int partitions) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        IntStream.range(0, partitions)
                .forEach(partition -> latest.put(new TopicPartition(topic, partition), OffsetSpec.latest()));
        return admin.listOffsets(latest).all().get().values().stream()
                .mapToLong(end -> end.offset())
                .sum();
    }

    /** How many of them a group has committed. */
    long committed(String group) throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().values().stream()
                .mapToLong(offset -> offset == null ? 0 : offset.offset())
                .sum();
    }

    @Override
    public void close() {
        admin.close();
    }
}
