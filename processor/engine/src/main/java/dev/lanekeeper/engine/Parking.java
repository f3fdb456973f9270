package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.parking.ParkedRecords;
import dev.lanekeeper.engine.parking.ParkedTable;
import dev.lanekeeper.engine.parking.ParkingLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Parked customers of the partitions that this engine owns
 * --------------------------------------------------------
 * What is parked of a partition is read from the parking topic after the partition was assigned, that is, after its last owner
 * let it go; records that come meanwhile wait at the heads of their lanes. From then on the table is kept up by whoever holds
 * a customer's lane: a record that is parked is entered when the broker has it and before its lane is released, so the next
 * one finds it there. One that is taken out is struck off in the same way. A record that ends after its partition went and
 * came back is entered too, since the table is found by partition and not by assignment: its lane was held all the while.
 */

/** Knows who is parked, and has it replayed. Thread-safe. */
final class Parking<K, V> {
    private static final Logger log = LoggerFactory.getLogger(Parking.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final String topic;
    private final ParkingLog parkingLog;
    private final Executor readers;
    private final Timer timer;
    private final Map<TopicPartition, Lot> lots = new ConcurrentHashMap<>();

    /** Set before the first partition is assigned. */
    private volatile @Nullable ParkedRecords format;

    /**
     * @param topic the parking topic
     * @param readers runs what reads it, on threads that may block
     */
    Parking(String topic, ParkingLog parkingLog, Executor readers, Timer timer) {
        this.topic = topic;
        this.parkingLog = parkingLog;
        this.readers = readers;
        this.timer = timer;
    }

    /** What is parked of one assigned partition. */
    static final class Lot {
        private final Assignment assignment;
        private final WaitingRoom loading = new WaitingRoom();
        private final ParkedTable table = new ParkedTable();

        /** Customers that somebody wants parked with their next record. */
        private final Map<Bytes, String> asked = new ConcurrentHashMap<>();

        /** Replays that are under way. */
        private final Map<Bytes, Replay<?, ?>> replays = new ConcurrentHashMap<>();

        private volatile boolean loaded;

        /** Where the parking topic's partition for new customers ended when it was read; written before {@link #loaded}. */
        private long scanFrom;

        /** The partition of the parking topic for new customers; written before {@link #loaded}. */
        private int parkingPartition;

        private Lot(Assignment assignment) {
            this.assignment = assignment;
        }

        Assignment assignment() {
            return assignment;
        }

        ParkedTable table() {
            return table;
        }
    }

    // -- on the poll thread

    /** Told once, before any partition is assigned. */
    void group(String group) {
        format = new ParkedRecords(topic, group);
    }

    /** Begins to read what is parked of the partitions that are new among these. */
    void assigned(Collection<Assignment> assignments) {
        List<Lot> fresh = new ArrayList<>();
        for (Assignment assignment : assignments) {
            Lot known = lots.get(assignment.topicPartition());
            if (known == null || known.assignment() != assignment) {
                Lot lot = new Lot(assignment);
                lots.put(assignment.topicPartition(), lot);
                fresh.add(lot);
            }
        }
        if (!fresh.isEmpty()) {
            load(fresh);
        }
    }

    /** Forgets partitions that were taken away. */
    void revoked(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            Lot lot = lots.remove(partition);
            if (lot != null) {
                lot.replays.values().forEach(Replay::drop);
            }
        }
    }

    // -- reading the topic

    private void load(List<Lot> fresh) {
        try {
            readers.execute(() -> readInto(fresh));
        } catch (RejectedExecutionException e) { // the engine is closed
            log.debug("what is parked is not read any more", e);
        }
    }

    private void readInto(List<Lot> fresh) {
        List<Lot> wanted = fresh.stream()
                .filter(lot -> lots.get(lot.assignment().topicPartition()) == lot)
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        try {
            readAll(wanted);
        } catch (Throwable e) { // whatever it is, nothing starts before it is known what is parked
            log.warn("what is parked can't be read, so records of {} wait: {}", names(wanted), Complaints.text(e));
            timer.schedule(PAUSE, () -> load(wanted));
            return;
        }
        for (Lot lot : wanted) {
            lot.loaded = true;
            lot.loading.open();
        }
    }

    private void readAll(List<Lot> wanted) {
        ParkedRecords lines = format();
        int partitions = parkingLog.partitions();
        for (Lot lot : wanted) {
            lot.parkingPartition = lot.assignment().topicPartition().partition() % partitions;
        }
        for (int i = 0; i < partitions; i++) {
            int partition = i;
            long end = parkingLog.read(partition, 0, record -> {
                ParkedRecords.Line line = lines.read(record);
                if (line != null) {
                    for (Lot lot : wanted) {
                        if (lot.assignment().topicPartition().equals(line.source())) {
                            lot.table.read(line, partition, record.offset());
                        }
                    }
                }
                return true;
            });
            for (Lot lot : wanted) {
                if (lot.parkingPartition == partition) {
                    lot.scanFrom = end;
                }
            }
        }
    }

    private static List<TopicPartition> names(List<Lot> lots) {
        return lots.stream().map(lot -> lot.assignment().topicPartition()).toList();
    }

    // -- in the lane

    /** Called by a record inside its start: whether it has to wait until it is known what is parked. */
    boolean hold(RecordTicket<?, ?> ticket) {
        Lot lot = lots.get(ticket.assignment().topicPartition());
        return lot != null && !lot.loaded && lot.loading.enter(ticket);
    }

    /** Whether {@code ticket} is to be parked because its customer is, or is parked already. */
    boolean takes(RecordTicket<?, ?> ticket) {
        Lot lot = lots.get(ticket.assignment().topicPartition());
        return lot != null && (lot.table.of(ticket.laneKey()) != null || lot.asked.containsKey(ticket.laneKey()));
    }

    /** Whether the parking topic has the record already, from before a crash or a rebalance. */
    boolean has(RecordTicket<?, ?> ticket) {
        Lot lot = lots.get(ticket.assignment().topicPartition());
        ParkedTable.Entry entry = lot == null ? null : lot.table.of(ticket.laneKey());
        return entry != null && ticket.record().offset() <= entry.last();
    }

    /** The record to send so that {@code ticket} is parked; {@code null} if its partition was taken away. */
    @Nullable
    ProducerRecord<byte[], byte[]> parked(RecordTicket<?, ?> ticket, String cause) {
        Lot lot = lots.get(ticket.assignment().topicPartition());
        return lot == null
                ? null
                : format().parked(ticket.record(), ticket.laneKey(), partition(lot, ticket.laneKey()), cause);
    }

    /** The broker has it. Before the lane is released. */
    void entered(RecordTicket<?, ?> ticket, ProducerRecord<byte[], byte[]> parked, String cause) {
        Lot lot = lots.get(ticket.assignment().topicPartition());
        if (lot != null) {
            Bytes key = ticket.laneKey();
            boolean first = lot.table.of(key) == null;
            String asked = lot.asked.remove(key);
            String why = cause.isEmpty() && asked != null ? asked : cause;
            long scanFrom = lot.loaded ? lot.scanFrom : 0;
            lot.table.parked(key, ticket.record().offset(), Objects.requireNonNull(parked.partition()), scanFrom, why);
            if (first) {
                log.warn("customer {} is parked from {} on: {}", key, ticket, why);
            }
        }
    }

    private static int partition(Lot lot, Bytes key) {
        ParkedTable.Entry entry = lot.table.of(key);
        return entry == null ? lot.parkingPartition : entry.partition();
    }

    private ParkedRecords format() {
        return Objects.requireNonNull(format, "group");
    }

    // -- on any thread

    /** Those who are parked, in the partitions that were read. */
    List<EngineView.ParkedKey> view() {
        List<EngineView.ParkedKey> view = new ArrayList<>();
        for (Lot lot : lots.values()) {
            if (lot.loaded) {
                for (ParkedTable.Entry entry : lot.table.all()) {
                    view.add(new EngineView.ParkedKey(
                            entry.laneKey(),
                            lot.assignment().topicPartition(),
                            entry.records(),
                            entry.first(),
                            entry.last(),
                            entry.cause()));
                }
            }
        }
        return view;
    }

    /** Parks a customer from their next record on, in whichever partition of this engine it comes. */
    void ask(Bytes key) {
        for (Lot lot : lots.values()) {
            if (lot.table.of(key) == null) {
                lot.asked.put(key, "on request");
            }
        }
    }

    /** Takes back what {@link #ask} asked for, where nothing was parked yet; whether there was anything. */
    boolean withdraw(Bytes key) {
        boolean any = false;
        for (Lot lot : lots.values()) {
            any |= lot.asked.remove(key) != null;
        }
        return any;
    }

    /**
     * Replays a customer, in each partition of this engine in which they are parked; see {@link Replay}.
     *
     * @return how many records were replayed
     */
    CompletableFuture<Long> replay(Walk<K, V> walk, Bytes key, long limit, boolean skips) {
        List<CompletableFuture<Long>> results = new ArrayList<>();
        for (Lot lot : lots.values()) {
            ParkedTable.Entry entry = lot.loaded ? lot.table.of(key) : null;
            if (entry != null) {
                Replay<K, V> replay = new Replay<>(walk, this, lot, entry, limit, skips);
                Replay<?, ?> underWay = lot.replays.putIfAbsent(key, replay);
                if (underWay != null) {
                    return CompletableFuture.failedFuture(new IllegalStateException(
                            "parked records of customer " + key + " are being replayed already"));
                }
                results.add(replay.result());
                replay.next();
            }
        }
        CompletableFuture<Long> sum = CompletableFuture.completedFuture(0L);
        for (CompletableFuture<Long> result : results) {
            sum = sum.thenCombine(result, Long::sum);
        }
        return sum;
    }

    void end(Lot lot, Bytes key, Replay<K, V> replay) {
        lot.replays.remove(key, replay);
    }

    /** Reads on for a replay; see {@link ParkingLog#read}. */
    void read(Runnable reading) {
        readers.execute(reading);
    }

    ParkingLog parkingLog() {
        return parkingLog;
    }

    ParkedRecords records() {
        return format();
    }

    Timer timer() {
        return timer;
    }
}
