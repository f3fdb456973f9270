package dev.lanekeeper.engine.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer whose log, group and misfortunes a test writes. Kafka's own {@link MockConsumer} neither waits in poll nor
 * goes back to the committed offset after a rebalance, runs callbacks on the thread that asks for them and never refuses
 * a commit; this does all that as the real one does. Thread-safe: tests script it while an engine polls it.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // guarded by a lock of its own, never held in callbacks
public final class ScriptedConsumer extends DerivedConsumer {
    private static final int MAX_POLL_RECORDS = 500;

    private volatile Duration lastPoll = Duration.ZERO;

    private final boolean waits;
    private final Object lock = new Object();
    private final ScriptedLog log = new ScriptedLog();
    private final Map<TopicPartition, Long> positions = new LinkedHashMap<>();
    private final ScriptedGroup group = new ScriptedGroup();
    private final Set<TopicPartition> paused = new HashSet<>();
    private final List<Runnable> script = new ArrayList<>();
    private final Deque<Runnable> answers = new ArrayDeque<>();
    private @Nullable ConsumerRebalanceListener listener;
    private boolean answersHeld;
    private boolean closed;
    private int generation;

    /** {@code waits}: whether poll waits for something to happen, as an engine's thread wants it. */
    public ScriptedConsumer(boolean waits) {
        this.waits = waits;
    }

    // -- the script

    /** Adds a record at the end of a partition; returns its offset. */
    public long append(TopicPartition partition, @Nullable String key, @Nullable String value) {
        return appendBytes(
                partition, key == null ? null : key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
    }

    /** The same in bytes. */
    public long appendBytes(TopicPartition partition, byte @Nullable [] key, byte @Nullable [] value) {
        synchronized (lock) {
            lock.notifyAll();
            return log.append(partition, key, value);
        }
    }

    /** Offsets that no record will ever have: markers of transactions, or what compaction took. */
    public void appendGap(TopicPartition partition, int offsets) {
        synchronized (lock) {
            log.appendGap(partition, offsets);
            lock.notifyAll();
        }
    }

    /** Works on the log. */
    void inLog(Consumer<ScriptedLog> step) {
        synchronized (lock) {
            step.accept(log);
        }
    }

    /** Works on the group. */
    void inGroup(Consumer<ScriptedGroup> step) {
        synchronized (lock) {
            step.accept(group);
        }
    }

    /** Runs {@code step} inside the next poll, on the thread that polls. */
    public void inPoll(Runnable step) {
        synchronized (lock) {
            script.add(step);
            lock.notifyAll();
        }
    }

    /** Runs what {@code lines} add to the script in one poll. */
    public void together(Runnable lines) {
        synchronized (lock) {
            lines.run();
        }
    }

    public void assign(TopicPartition... partitions) {
        inPoll(() -> assigned(Arrays.asList(partitions)));
    }

    public void revoke(TopicPartition... partitions) {
        inPoll(() -> revoked(Arrays.asList(partitions)));
    }

    /** As an eager rebalance does that changes nothing. */
    public void revokeAndReturn(TopicPartition... partitions) {
        inPoll(() -> {
            revoked(Arrays.asList(partitions));
            assigned(Arrays.asList(partitions));
        });
    }

    /** As after a session that timed out. */
    public void lose(TopicPartition... partitions) {
        inPoll(() -> {
            listener().onPartitionsLost(Arrays.asList(partitions));
            forget(Arrays.asList(partitions));
        });
    }

    /** Goes back to {@code offset}, as after a truncation. */
    public void goTo(TopicPartition partition, long offset) {
        inPoll(() -> seek(partition, offset));
    }

    /** The next commit is refused. */
    public void refuseCommit(RuntimeException cause) {
        inGroup(each -> each.fault(new CommitFault(cause, false, false)));
    }

    /** The next commit is refused at the call, also if it is asynchronous. */
    public void refuseCommitAtTheCall(RuntimeException cause) {
        inGroup(each -> each.fault(new CommitFault(cause, false, true)));
    }

    /** The next commit is done, but its answer is an error. */
    public void loseCommitAnswer(RuntimeException cause) {
        inGroup(each -> each.fault(new CommitFault(cause, true, false)));
    }

    /** Keeps answers to asynchronous commits back, or lets them go with the next poll. */
    public void holdAnswers(boolean held) {
        synchronized (lock) {
            answersHeld = held;
            lock.notifyAll();
        }
    }

    private void assigned(Collection<TopicPartition> partitions) {
        synchronized (lock) {
            generation++;
            partitions.forEach(partition -> positions.put(partition, group.position(partition)));
        }
        listener().onPartitionsAssigned(partitions);
    }

    private void revoked(Collection<TopicPartition> partitions) {
        listener().onPartitionsRevoked(partitions);
        forget(partitions);
    }

    private void forget(Collection<TopicPartition> partitions) {
        synchronized (lock) {
            partitions.forEach(positions::remove);
            paused.removeAll(partitions);
        }
    }

    /** The committed offset; -1 if there is none. */
    public long committedOffset(TopicPartition partition) {
        synchronized (lock) {
            return group.committedOffset(partition);
        }
    }

    /** All commits that were done, in order. */
    public List<Map<TopicPartition, OffsetAndMetadata>> commits() {
        synchronized (lock) {
            return group.commits();
        }
    }

    public boolean subscribed() {
        synchronized (lock) {
            return listener != null;
        }
    }

    private ConsumerRebalanceListener listener() {
        synchronized (lock) {
            if (listener == null) {
                throw new IllegalStateException("nobody has subscribed");
            }
            return listener;
        }
    }

    // -- the consumer

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener rebalanceListener) {
        synchronized (lock) {
            listener = rebalanceListener;
        }
    }

    /** How long the last poll was allowed to wait. */
    public Duration lastPoll() {
        return lastPoll;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        lastPoll = timeout;
        Deque<Runnable> due = dueSteps(timeout); // what these add is for the next poll
        try {
            while (!due.isEmpty()) {
                due.remove().run();
            }
        } finally {
            synchronized (lock) {
                script.addAll(0, due); // one has thrown: the others are not lost
            }
        }
        return fetch();
    }

    private Deque<Runnable> dueSteps(Duration timeout) {
        long deadline = System.nanoTime() + (waits ? timeout.toNanos() : 0);
        synchronized (lock) {
            while (true) {
                if (closed) {
                    throw new IllegalStateException("This consumer has already been closed.");
                }
                Deque<Runnable> due = new ArrayDeque<>(script);
                script.clear();
                if (!answersHeld) {
                    due.addAll(answers);
                    answers.clear();
                }
                long left = deadline - System.nanoTime();
                if (!due.isEmpty() || left <= 0 || positions.keySet().stream().anyMatch(this::hasMore)) {
                    return due;
                }
                try {
                    lock.wait(left / 1_000_000 + 1);
                } catch (InterruptedException e) {
                    throw new InterruptException(e);
                }
            }
        }
    }

    private boolean hasMore(TopicPartition partition) {
        return !paused.contains(partition) && positions.getOrDefault(partition, 0L) < log.end(partition);
    }

    private ConsumerRecords<byte[], byte[]> fetch() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        synchronized (lock) {
            int room = MAX_POLL_RECORDS;
            for (TopicPartition partition : List.copyOf(positions.keySet())) {
                if (hasMore(partition) && room > 0) {
                    long from = positions.getOrDefault(partition, 0L);
                    List<ConsumerRecord<byte[], byte[]>> batch = log.from(partition, from, room);
                    long position = log.positionAfter(partition, batch, room);
                    room -= batch.size();
                    positions.put(partition, position);
                    next.put(partition, new OffsetAndMetadata(position));
                    if (!batch.isEmpty()) {
                        found.put(partition, batch);
                    }
                }
            }
        }
        return new ConsumerRecords<>(found, next);
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        synchronized (lock) {
            positions.put(partition, offset);
        }
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        synchronized (lock) {
            RuntimeException refusal = group.commitAsync(positions.keySet(), offsets);
            answers.add(() -> callback.onComplete(offsets, refusal));
            lock.notifyAll();
        }
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        synchronized (lock) {
            group.commitSync(positions.keySet(), offsets);
        }
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        synchronized (lock) {
            return group.tell(partitions);
        }
    }

    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        synchronized (lock) {
            return OptionalLong.of(log.end(partition) - positions.getOrDefault(partition, 0L));
        }
    }

    @Override
    public Set<TopicPartition> assignment() {
        synchronized (lock) {
            return Set.copyOf(positions.keySet());
        }
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        synchronized (lock) {
            requireAssigned(partitions);
            paused.addAll(partitions);
        }
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        synchronized (lock) {
            requireAssigned(partitions);
            paused.removeAll(partitions);
        }
    }

    private void requireAssigned(Collection<TopicPartition> partitions) {
        if (!positions.keySet().containsAll(partitions)) {
            throw new IllegalStateException("No current assignment for one of " + partitions);
        }
    }

    @Override
    public Set<TopicPartition> paused() {
        synchronized (lock) {
            return Set.copyOf(paused);
        }
    }

    @Override
    @SuppressWarnings("removal") // there is no other way to make one for a test
    public ConsumerGroupMetadata groupMetadata() {
        synchronized (lock) {
            return new ConsumerGroupMetadata("group", generation, "member", Optional.empty());
        }
    }

    @Override
    public void close(CloseOptions options) {
        Set<TopicPartition> owned = assignment();
        if (!owned.isEmpty()) {
            revoked(owned);
        }
        synchronized (lock) {
            closed = true;
        }
    }

    @Override
    public boolean closed() {
        synchronized (lock) {
            return closed;
        }
    }
}
