package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.engine.parking.ParkedRecords;
import dev.lanekeeper.engine.parking.ParkedTable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/*
 * Each parked record takes its turn in the customer's lane, in order, one after the other: the next is enqueued when the last
 * has been taken out of the parking topic, and before its lane is released. Newer records of the customer that come between
 * two of them find the customer parked and are parked too, so they come last. The one that strikes off the last record of
 * the table does so while it holds the lane: whoever follows it finds the customer free. So nothing is overtaken, whenever the
 * replay stops: what it has not come to stays parked.
 */

/** Has parked records of one customer handled again. Moved by one thread at a time, as the record that is under way. */
final class Replay<K, V> {
    /** Records in memory at once. */
    private static final int BATCH = 200;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Walk<K, V> walk;
    private final Parking<K, V> parking;
    private final Parking.Lot lot;
    private final Bytes key;
    private final long limit;
    private final boolean skips;
    private final CompletableFuture<Long> result = new CompletableFuture<>();
    private final Queue<ConsumerRecord<byte[], byte[]>> batch = new ArrayDeque<>();
    private final int partition;
    private long position;

    /** Offset of the last record that was read for this replay, in the source partition. */
    private long read;

    private long replayed;

    private volatile @Nullable ReplayTicket<K, V> current;
    private volatile boolean dropped;

    /**
     * @param entry where the customer's records are
     * @param limit how many to replay at most
     * @param skips whether they are dead-lettered instead of being handled
     */
    Replay(
            Walk<K, V> walk,
            Parking<K, V> parking,
            Parking.Lot lot,
            ParkedTable.Entry entry,
            long limit,
            boolean skips) {
        this.walk = walk;
        this.parking = parking;
        this.lot = lot;
        this.key = entry.laneKey();
        this.limit = limit;
        this.skips = skips;
        this.partition = entry.partition();
        this.position = entry.scanFrom();
        this.read = entry.first() - 1;
    }

    /** How many records were replayed; fails if it stopped before the end. Completed on an engine's thread. */
    CompletableFuture<Long> result() {
        return result;
    }

    /** Begins, or goes on. */
    void next() {
        ParkedTable.Entry entry = lot.table().of(key);
        if (entry == null || replayed == limit) {
            finish(null);
            return;
        }
        ConsumerRecord<byte[], byte[]> record = batch.poll();
        if (record == null) {
            try {
                parking.read(this::readOn);
            } catch (RuntimeException e) { // the engine is closed
                finish(e);
            }
            return;
        }
        ReplayTicket<K, V> ticket = new ReplayTicket<>(
                walk, record, lot, key, this, parking.records().gone(record, key, partition));
        if (skips) {
            ticket.giveUp(new FinalResult.Failure(FailureStage.HANDLER, new TerminalException("skipped on request")));
        }
        current = ticket;
        if (dropped || lot.assignment().revoked()) { // the one who drops says so first and looks for a ticket second
            finish(new IllegalStateException(gone()));
            return;
        }
        try {
            walk.lanes().enqueue(key, ticket);
        } catch (RuntimeException e) { // the engine is closed
            finish(e);
        }
    }

    private void readOn() {
        try {
            position = parking.parkingLog().read(partition, position, this::take);
        } catch (RuntimeException e) {
            finish(new IllegalStateException("parked records of customer " + key + " can't be read: " + e, e));
            return;
        }
        if (!batch.isEmpty()) {
            next();
        } else if (!parking.timer().schedule(PAUSE, this::next)) { // the broker does not show all of it yet
            finish(new IllegalStateException("the engine is closed"));
        }
    }

    private boolean take(ConsumerRecord<byte[], byte[]> record) {
        ParkedRecords.Line line = parking.records().read(record);
        if (line != null
                && !line.gone()
                && line.offset() > read
                && line.laneKey().equals(key)
                && line.source().equals(lot.assignment().topicPartition())) {
            read = line.offset();
            batch.add(ParkedRecords.original(record, line));
        }
        return batch.size() < BATCH;
    }

    /** A record was taken out. Before its lane is released. */
    void done(ReplayTicket<K, V> ticket) {
        lot.table().takenOut(key, ticket.record().offset());
        replayed++;
        next();
    }

    /** A record failed for good and stays where it is, with all behind it. */
    void stopped(ReplayTicket<K, V> ticket, FinalResult.Failure failure) {
        finish(new IllegalStateException(
                "customer " + key + " stays parked from " + ticket + " on, which failed again: "
                        + Complaints.text(failure.cause()),
                failure.cause()));
    }

    /** A record was dropped, or its end does not count any more. */
    void lost() {
        finish(new IllegalStateException(gone()));
    }

    private String gone() {
        return lot.assignment().topicPartition() + " was taken away; what was not replayed of customer " + key
                + " stays parked";
    }

    /** The partition was taken away. On the poll thread. */
    void drop() {
        dropped = true;
        ReplayTicket<K, V> ticket = current;
        if (ticket != null) {
            ticket.drop();
        }
    }

    private void finish(@Nullable Throwable failure) {
        parking.end(lot, key, this);
        Runnable tell = () -> {
            if (failure == null) {
                result.complete(replayed);
            } else {
                result.completeExceptionally(failure);
            }
        };
        try { // dependents are foreign code, and this may be the producer's thread
            parking.read(tell);
        } catch (RuntimeException e) { // the engine is closed
            tell.run();
        }
    }
}
