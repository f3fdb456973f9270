package dev.lanekeeper.benchmarks.peers.contenders;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A chain of futures for each key in a map, a window of records in flight, the unbroken done prefix committed each second:
 * what a good team writes in a day. It knows no rebalance, no error and no retry.
 */
final class KeyChain implements Peer {
    private static final int WINDOW = 10_000;
    private static final Duration BRIEF_POLL = Duration.ofMillis(1);
    private static final long COMMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final boolean virtual;
    private @Nullable Loop loop;

    KeyChain(boolean virtual) {
        this.virtual = virtual;
    }

    @Override
    public void start(Race race) {
        loop = new Loop(race, Pools.of(virtual, race.concurrency()));
        loop.start();
    }

    @Override
    public void close() throws InterruptedException {
        if (loop != null) {
            loop.stop();
            loop.pool.shutdownNow();
        }
    }

    private static final class Slot {
        private final long offset;
        private volatile boolean done;

        Slot(long offset) {
            this.offset = offset;
        }
    }

    /** One partition: what is not done, or behind what is not done. */
    private static final class Line {
        private final Queue<Slot> open = new ArrayDeque<>();
        private long next;

        int held() {
            for (Slot head = open.peek(); head != null && head.done; head = open.peek()) {
                open.remove();
            }
            return open.size();
        }

        long frontier() {
            held();
            Slot head = open.peek();
            return head == null ? next : head.offset;
        }
    }

    private static final class Loop extends PollLoop {
        private final ExecutorService pool;
        private final Map<String, CompletableFuture<?>> tails = new ConcurrentHashMap<>();
        private final Map<TopicPartition, Line> lines = new HashMap<>();
        private final AtomicInteger inFlight = new AtomicInteger();
        private long committedAt = System.nanoTime();
        private boolean paused;

        Loop(Race race, ExecutorService pool) {
            super(race, "key-chain");
            this.pool = pool;
        }

        @Override
        void step(Consumer<String, byte[]> consumer) {
            consumer.poll(paused ? BRIEF_POLL : POLL).forEach(this::submit);
            int held = lines.values().stream().mapToInt(Line::held).sum();
            if (!paused && held > WINDOW) {
                consumer.pause(consumer.assignment());
                paused = true;
            } else if (paused && held < WINDOW / 2) {
                consumer.resume(consumer.assignment());
                paused = false;
            }
            if (System.nanoTime() - committedAt > COMMIT_NANOS) {
                committedAt = System.nanoTime();
                consumer.commitAsync(frontiers(), null);
            }
        }

        @Override
        void last(Consumer<String, byte[]> consumer) {
            long begin = System.nanoTime();
            while (inFlight.get() > 0 && System.nanoTime() - begin < LONGEST_DRAIN_NANOS) {
                LockSupport.parkNanos(1_000_000);
            }
            consumer.commitSync(frontiers());
        }

        private void submit(ConsumerRecord<String, byte[]> record) {
            Slot slot = new Slot(record.offset());
            Line line = lines.computeIfAbsent(
                    new TopicPartition(record.topic(), record.partition()), partition -> new Line());
            line.open.add(slot);
            line.next = record.offset() + 1;
            inFlight.incrementAndGet();
            CompletableFuture<?> tail = tails.compute(record.key(), (key, previous) -> after(previous, record.value()));
            var unused = tail.whenComplete((done, failure) -> {
                slot.done = true;
                inFlight.decrementAndGet();
                tails.remove(record.key(), tail);
            });
        }

        private CompletableFuture<?> after(@Nullable CompletableFuture<?> previous, byte[] value) {
            Race.Work work = race().work();
            if (race().async()) {
                return previous == null
                        ? work.handleAsync(value)
                        : previous.thenCompose(done -> work.handleAsync(value));
            }
            return previous == null
                    ? CompletableFuture.runAsync(() -> work.handle(value), pool)
                    : previous.thenRunAsync(() -> work.handle(value), pool);
        }

        private Map<TopicPartition, OffsetAndMetadata> frontiers() {
            Map<TopicPartition, OffsetAndMetadata> frontiers = new HashMap<>();
            lines.forEach((partition, line) -> frontiers.put(partition, new OffsetAndMetadata(line.frontier())));
            return frontiers;
        }
    }
}
