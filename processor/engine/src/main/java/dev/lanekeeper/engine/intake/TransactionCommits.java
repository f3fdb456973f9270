package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.result.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Why each output is committed exactly once
 * -----------------------------------------
 * For each partition that is owned:   what is committed  +  `underWay`  +  `pending`  =  what its tracker counts as done.
 *
 *  - A record is counted as done and its outputs are added to `pending` in one step of the poll thread.
 *  - A transaction takes all that is pending, and the offsets of the same moment. So it never tells of a record as done
 *    without its outputs, nor sends outputs of a record that it does not tell of.
 *  - One transaction at a time. If it was committed, its records are forgotten; if it was aborted, nothing of it counts, and
 *    they go back to the head of `pending`, before whatever has come meanwhile: lane order is kept. Nothing has to run again,
 *    and the offsets are read anew.
 *  - While nobody knows how a transaction ended, there is no other.
 *
 * When a partition is taken away, its assignment is fenced: its records leave `pending` without being sent, and whoever owns
 * it next begins at what was committed, after the broker has ended any transaction that is open on these offsets. A
 * transaction of somebody who doesn't know yet that he was expelled is refused by the group's generation, which is sent with
 * the offsets; so it is aborted, outputs and all. A member that gives up some of its partitions may keep the generation. So a
 * transaction looks at the fences itself, before it sends offsets and when the broker has them: from then on the next owner
 * waits for its end.
 *
 * A record's successors in its lane may have run before its outputs are committed. They are committed with it or after it.
 */

/** Commits outputs and offsets together. Confined to the poll thread; transactions run on a thread of their own. */
final class TransactionCommits implements CommitPath {
    private static final Logger log = LoggerFactory.getLogger(TransactionCommits.class);

    /** Above it a transaction begins before its time, and records that come to their end while one is under way wait. */
    private static final int PENDING_RECORDS = 5_000;

    private final Consumer<byte[], byte[]> consumer;
    private final Transactions transactions;
    private final Collection<Assignment> owned;
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final LongAdder failures;
    private final CommitReports reporting = new CommitReports();

    /** Done records whose outputs have not been sent, oldest first. */
    private List<Routed> pending = new ArrayList<>();

    private @Nullable Transaction underWay;

    /** New outputs being made for one of {@link #pending}. */
    private @Nullable CompletableFuture<Void> replacement;

    private @Nullable KafkaException fatal;
    private long lastAttempt;
    private boolean failing;

    /** {@code owned} is the live view of all partitions that are owned. */
    TransactionCommits(
            Consumer<byte[], byte[]> consumer,
            Transactions transactions,
            Collection<Assignment> owned,
            Duration interval,
            LongSupplier nanoTime,
            LongAdder failures) {
        this.consumer = consumer;
        this.transactions = transactions;
        this.owned = owned;
        this.intervalNanos = TimeUnit.NANOSECONDS.convert(interval);
        this.nanoTime = nanoTime;
        this.failures = failures;
        this.lastAttempt = nanoTime.getAsLong();
    }

    /** One transaction, from its beginning until its end has been taken note of. */
    private record Transaction(
            List<Routed> records, List<CommitReports.Report> reports, CompletableFuture<Transactions.End> end) {}

    @Override
    public void completed(Routed routed) {
        if (!routed.outputs().isEmpty()) {
            pending.add(routed);
        }
    }

    @Override
    public boolean hasRoom() {
        return pending.size() < PENDING_RECORDS;
    }

    @Override
    public void commitIfDue(Collection<Assignment> assignments) {
        noteEnd();
        if (fatal != null) {
            throw fatal;
        }
        long now = nanoTime.getAsLong();
        boolean due = now - lastAttempt >= intervalNanos || (!failing && !hasRoom());
        if (due && underWay == null && !replacing()) {
            begin(now);
        }
    }

    /** Commits all there is: outputs of one partition are not told from those of others. */
    @Override
    public boolean commitNow(Collection<Assignment> assignments, Duration timeout) {
        Deadline deadline = Deadline.in(timeout, nanoTime);
        for (int i = 0; i < 3; i++) { // what is under way, what is new, and once more if that was aborted
            if (!awaitEnd(deadline)) {
                log.warn("a transaction is still open after {}; whoever comes next waits for its end", timeout);
                return false;
            }
            if (fatal != null) {
                return false; // thrown at the next pass: this may be inside a rebalance, which must not throw
            }
            if (!begin(nanoTime.getAsLong())) {
                return true;
            }
        }
        return awaitEnd(deadline) && fatal == null && !begin(nanoTime.getAsLong());
    }

    /** {@code false} if there is nothing to commit. */
    private boolean begin(long now) {
        lastAttempt = now;
        List<Routed> records = wanted(pending);
        List<CommitReports.Report> reports = reporting.of(owned);
        pending = new ArrayList<>();
        if (records.isEmpty() && reports.isEmpty()) {
            return false;
        }
        List<ProducerRecord<byte[], byte[]>> outputs = new ArrayList<>();
        records.forEach(record -> outputs.addAll(record.outputs()));
        underWay = new Transaction(
                records,
                reports,
                transactions.commit(
                        outputs,
                        CommitReports.offsets(reports),
                        consumer.groupMetadata(),
                        () -> reports.stream()
                                .noneMatch(report -> report.assignment().fenced())));
        return true;
    }

    private static List<Routed> wanted(List<Routed> records) {
        return records.stream().filter(record -> !record.assignment().fenced()).toList();
    }

    private boolean replacing() {
        return replacement != null && !replacement.isDone();
    }

    /** Waits until nothing is under way; {@code false} if it takes too long. */
    private boolean awaitEnd(Deadline deadline) {
        try {
            if (underWay != null && !transactions.await(underWay.end(), deadline.leftNanos())) {
                return false;
            }
            noteEnd();
            return replacement == null || transactions.await(replacement, deadline.leftNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Takes note of how the transaction under way has ended, if it has. */
    private void noteEnd() {
        Transaction transaction = underWay;
        if (transaction == null || !transaction.end().isDone()) {
            return;
        }
        underWay = null;
        try {
            Transactions.End end = transaction.end().join();
            if (end instanceof Transactions.Aborted aborted) {
                tryAgain(transaction, aborted);
            } else {
                transaction.reports().forEach(CommitReports.Report::confirm);
                succeeded();
            }
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            fatal = new KafkaException("no transaction of this engine will be committed any more: " + cause, cause);
        }
    }

    private void tryAgain(Transaction transaction, Transactions.Aborted aborted) {
        failures.increment();
        List<Routed> again = new ArrayList<>(wanted(transaction.records()));
        ProducerRecord<byte[], byte[]> refused = aborted.refused();
        if (refused != null) {
            again.stream()
                    .filter(record -> record.outputs().contains(refused))
                    .findFirst()
                    .ifPresent(record -> replacement = record.replaceOutputs(aborted.cause(), refused));
        } else if (aborted.cause() instanceof OffsetMetadataTooLarge) {
            reporting.shrinkMaps();
        } else if (!failing) {
            failing = true; // said once: until it is over, each interval would say the same
            log.warn(
                    "transactions are aborted, and tried again at each interval: {}",
                    aborted.cause().toString());
        }
        again.addAll(pending);
        pending = again;
    }

    private void succeeded() {
        if (failing) {
            failing = false;
            log.info("transactions are committed again");
        }
    }
}
