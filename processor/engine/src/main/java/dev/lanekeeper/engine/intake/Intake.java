package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.result.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of the poll thread, without the thread: {@link #runOnce} is one pass. It owns the consumer and is the only
 * writer of every {@link Assignment}; nobody else calls the consumer.
 *
 * <p>A pass never waits for work: it polls, registers and dispatches what came, applies what other threads completed,
 * throttles, and commits when it is time. What waits is the revocation of partitions, for their running records only and no
 * longer than the drain timeout, and {@link #close}, for handlers as long; besides, whatever asks the group for an answer.
 *
 * <p>Confined to the poll thread but for what says "any thread".
 */
public final class Intake {
    private static final Logger log = LoggerFactory.getLogger(Intake.class);

    private static final Duration IDLE_POLL = Duration.ofMillis(100);

    /** While partitions are throttled. Room for them shows only between polls, so quick handlers would run dry in a longer one. */
    private static final Duration SHORTEST_POLL = Duration.ofMillis(1);

    /** How soon a wait for running records hears that the engine is to be closed. */
    private static final long LOOK_UP_NANOS = IDLE_POLL.toNanos();

    private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(10);

    private final Consumer<byte[], byte[]> consumer;
    private final Completions completions;
    private final IntakeSettings settings;
    private final IntakeCounters counters;
    private final LongSupplier nanoTime;
    private final Throttle throttle;
    private final Recall recall;
    private final FetchHold hold;
    private final CommitPath commits;
    private final Owned owned = new Owned();
    private final TopicWatch watch;
    private final Admission admission;
    private boolean draining;

    /** Of a poll while partitions are throttled: longer, the longer nothing has come and nothing ended. */
    private Duration throttledPoll = SHORTEST_POLL;

    /** Once a close was asked for; set by any thread. */
    private volatile @Nullable Closing closing;

    /**
     * Takes over {@code consumer}, whose subscription is made by the caller with {@link #rebalanceListener}.
     *
     * @param ids tells topics from those that had their names before
     * @param transactions commits outputs and offsets together; {@code null} if outputs are sent before
     */
    public Intake(
            Consumer<byte[], byte[]> consumer,
            Router router,
            Completions completions,
            IntakeSettings settings,
            IntakeCounters counters,
            LongSupplier nanoTime,
            TopicIds ids,
            @Nullable Transactions transactions) {
        this.consumer = consumer;
        this.completions = completions;
        this.settings = settings;
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.throttle = new Throttle(consumer, settings);
        this.recall = new Recall(consumer, ids, nanoTime, counters);
        this.hold = new FetchHold(consumer);
        this.watch = new TopicWatch(ids, owned, nanoTime);
        this.admission = new Admission(consumer, router, owned, throttle, recall, hold, watch, counters);
        this.commits = transactions == null
                ? new Commits(consumer, settings.commitInterval(), nanoTime, counters.commitFailures())
                : new TransactionCommits(
                        consumer,
                        transactions,
                        owned.all(),
                        settings.commitInterval(),
                        nanoTime,
                        counters.commitFailures());
    }

    /** To be given to the consumer's {@code subscribe}. */
    public ConsumerRebalanceListener rebalanceListener() {
        return new Rebalance();
    }

    /** The partitions this consumer owns. Any thread. */
    public List<Assignment> assignments() {
        return owned.visible();
    }

    /**
     * Holds back fetching, or lets it go on, from the next pass; the consumer goes on polling, and stays in its group. What is
     * assigned meanwhile is held back too. Any thread.
     */
    public void hold(boolean held) {
        hold.ask(held);
    }

    /** Whether fetching is held back and all that was delivered is done, and committed. */
    public boolean drained() {
        return hold.on() && owned.all().stream().allMatch(Assignment::settled);
    }

    /** Says by when a close has to be over. Whatever waits at the moment waits no longer than that. Any thread. */
    public void closeBy(Closing times) {
        closing = times;
    }

    /**
     * One pass: poll, dispatch, complete, throttle, commit.
     *
     * @return how many records came and how many were completed
     * @throws org.apache.kafka.common.KafkaException if the consumer can't go on
     */
    public int runOnce() {
        if (!draining) { // letting a partition go would fetch records that nobody is going to handle
            recall.goOn(!hold.on());
            watch.look(admission::madeAnew);
            hold.apply(owned.all(), assignment -> !assignment.throttled() && !recall.holds(assignment));
        }
        int received = admission.receive(poll());
        int completed = commits.hasRoom() ? applyCompletions() : 0;
        if (!draining && !hold.on()) { // as above
            throttle.completed();
        }
        commits.commitIfDue(owned.all());
        boolean idle = received + completed == 0;
        throttledPoll = idle ? Collections.min(List.of(throttledPoll.multipliedBy(2), IDLE_POLL)) : SHORTEST_POLL;
        return received + completed;
    }

    private ConsumerRecords<byte[], byte[]> poll() {
        Duration longest = throttle.throttlesAny() ? throttledPoll : IDLE_POLL;
        try {
            return consumer.poll(draining || recall.waits() ? SHORTEST_POLL : longest);
        } catch (WakeupException e) { // somebody wants the loop to look up, no more
            return ConsumerRecords.empty();
        }
    }

    private int applyCompletions() {
        int applied = 0;
        Assignment changed = null; // completions come in runs of one partition: each run is shown once
        for (Routed routed = completions.takeAll(); routed != null; ) {
            Routed next = routed.nextCompleted();
            routed.nextCompleted(null);
            Assignment assignment = routed.assignment();
            if (assignment.fenced()) {
                counters.stale();
            } else if (routed.durable()) {
                assignment.complete(routed);
                commits.completed(routed);
                applied++;
                if (changed != null && changed != assignment) {
                    show(changed);
                }
                changed = assignment;
            }
            routed = next;
        }
        if (changed != null) {
            show(changed);
        }
        counters.completed(applied);
        return applied;
    }

    private void show(Assignment changed) {
        changed.publish();
        throttle.ended(changed);
    }

    /** As {@link #drainAndClose(BooleanSupplier)} with nothing else to wait for. */
    int drainAndClose(Duration timeout) {
        closeBy(Closing.within(timeout, nanoTime));
        return drainAndClose(() -> true);
    }

    /**
     * Ends the loop: admits no more, drops what has not started, and polls on until what runs has ended and the caller
     * agrees, or time is up: see {@link #closeBy}. Then commits and leaves the group. Whatever fails, the consumer is closed.
     *
     * @param agreed asked after each pass, first when what had not started is dropped
     * @return how many records were still running
     */
    public int drainAndClose(BooleanSupplier agreed) {
        draining = true;
        int left = 0;
        try {
            consumer.pause(consumer.assignment());
            Deadline deadline = closingTimes().drain();
            left = dropWaiting(owned.withSuperseded(owned.all()));
            while ((!agreed.getAsBoolean() || left > 0) && !deadline.passed()) {
                runOnce();
                left = dropWaiting(owned.withSuperseded(owned.all()));
            }
            applyCompletions();
            owned.all().forEach(Assignment::revoke);
            if (!commits.commitNow(owned.all(), longestWait())) {
                runOnce(); // a rebalance was under way, most likely: this takes part in it
                commits.commitNow(owned.all(), longestWait());
            }
        } finally {
            close();
        }
        return left;
    }

    private Closing closingTimes() {
        Closing times = closing;
        return times != null ? times : Closing.within(settings.drainTimeout(), nanoTime);
    }

    /** How long to wait for an answer of the broker. */
    private Duration longestWait() {
        Closing times = closing;
        return times == null ? COMMIT_TIMEOUT : times.end().left(COMMIT_TIMEOUT);
    }

    /**
     * Leaves the group without a commit, after an error: what is not committed is delivered again. Before that, waits for what
     * runs as long as a revocation would, so that no handler is at work here when the next owner begins; it does not poll
     * meanwhile, since the consumer may be what has failed. What ends in that time counts for nothing, so what is on its way
     * to a broker is not waited for.
     *
     * @return how many records handlers may still be at work on
     */
    public int close() {
        owned.all().forEach(Assignment::fence);
        try {
            return awaitRunning(owned.all(), Assignment::dropWaitingForWork);
        } finally {
            owned.clear();
            consumer.close(CloseOptions.timeout(longestWait()));
        }
    }

    /** Waits for running records of these partitions only, if they count: never for other lanes, never for queued work. */
    private int awaitRunning(Collection<Assignment> gone, ToIntFunction<Assignment> counted) {
        Deadline deadline = Deadline.in(settings.drainTimeout(), nanoTime);
        List<Assignment> all = owned.withSuperseded(gone);
        while (true) {
            applyCompletions();
            int running = all.stream().mapToInt(counted).sum();
            Closing times = closing; // asked for meanwhile, perhaps
            long left = times == null
                    ? deadline.leftNanos()
                    : deadline.or(times.drain()).leftNanos();
            if (running == 0 || left == 0 || Thread.currentThread().isInterrupted()) {
                applyCompletions(); // those that ended between the two lines above
                return running;
            }
            completions.await(Math.min(left, LOOK_UP_NANOS));
        }
    }

    /** Drops whatever of the assignments does not run; returns how many records run. */
    private static int dropWaiting(Collection<Assignment> assignments) {
        return assignments.stream().mapToInt(Assignment::dropWaiting).sum();
    }

    /** Runs inside poll, on the poll thread. Must not throw: an exception here would end the consumer. */
    private final class Rebalance implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            int epoch = consumer.groupMetadata().generationId();
            List<Assignment> fresh = partitions.stream()
                    .map(partition -> new Assignment(partition, epoch))
                    .toList();
            owned.add(fresh);
            recall.begin(fresh);
            if (draining || hold.on()) {
                consumer.pause(partitions);
            }
            changed();
            if (!partitions.isEmpty()) {
                log.info("assigned {}, epoch {}", partitions, epoch);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            List<Assignment> gone = take(partitions);
            if (gone.isEmpty()) {
                return;
            }
            gone.forEach(Assignment::revoke);
            int abandoned = awaitRunning(gone, Assignment::dropWaiting);
            commits.commitNow(gone, longestWait());
            remove(gone);
            counters.abandoned(abandoned);
            if (abandoned > 0) {
                log.warn(
                        "gave up {} running records of {} after {}; their results are dropped and they are delivered again",
                        abandoned,
                        partitions,
                        settings.drainTimeout());
            } else {
                log.info("revoked {}", partitions);
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            List<Assignment> gone = take(partitions);
            gone.forEach(Assignment::fence);
            int abandoned = dropWaiting(gone);
            remove(gone);
            counters.abandoned(abandoned);
            log.warn("lost {}, with {} records running: their results are dropped", partitions, abandoned);
        }

        private List<Assignment> take(Collection<TopicPartition> partitions) {
            List<Assignment> gone = new ArrayList<>();
            for (TopicPartition partition : partitions) {
                Assignment assignment = owned.of(partition);
                if (assignment != null) {
                    gone.add(assignment);
                }
            }
            return gone;
        }

        private void remove(List<Assignment> gone) {
            gone.forEach(Assignment::fence); // whatever ends from now on belongs to the past
            owned.remove(gone);
            throttle.forget(gone);
            recall.forget(gone);
            changed();
        }

        private void changed() {
            throttle.share(owned.all());
            counters.rebalanced();
        }
    }
}
