package dev.lanekeeper.engine.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import dev.lanekeeper.engine.simulation.cluster.ClusterEvents;
import dev.lanekeeper.engine.simulation.history.Ahead;
import dev.lanekeeper.engine.simulation.history.Event;
import dev.lanekeeper.engine.simulation.history.Event.Kind;
import dev.lanekeeper.engine.simulation.history.History;
import dev.lanekeeper.engine.simulation.history.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Writes what happens in a world into its history. Confined to the simulation's thread. */
final class Recorder implements ClusterEvents {
    static final String JOBS = "jobs";
    static final String DEAD = "dead";
    static final String OUT = "out";

    private final History history;
    private final LongSupplier nanoTime;
    private final Map<String, Message> messages = new HashMap<>();

    Recorder(History history, LongSupplier nanoTime) {
        this.history = history;
        this.nanoTime = nanoTime;
    }

    /** The id that a value begins with, behind a mark if it can't be decoded. */
    static String id(String value) {
        int from = value.startsWith("!") ? 1 : 0;
        int to = value.indexOf('|');
        return value.substring(from, to < 0 ? value.length() : to);
    }

    void submitted(Message message) {
        messages.put(message.id(), message);
        history.add(Event.of(nanoTime.getAsLong(), Kind.SUBMIT, "", message, message.leaderEpoch(), 0, 0));
    }

    void truncated(int partition, long offset, int leaderEpoch) {
        add(Kind.TRUNCATE, "", partition, offset, leaderEpoch, 0);
    }

    void started(String instance, Delivery<String, String> delivery) {
        started(instance, delivery, 0);
    }

    /** As part of a {@code call} of several records. */
    void started(String instance, Delivery<String, String> delivery, long call) {
        run(Kind.START, instance, delivery, call);
    }

    void ended(String instance, Delivery<String, String> delivery, int outputs) {
        run(Kind.END, instance, delivery, outputs);
    }

    void failed(String instance, Delivery<String, String> delivery) {
        run(Kind.FAIL, instance, delivery, 0);
    }

    void late(String instance, Delivery<String, String> delivery) {
        run(Kind.LATE, instance, delivery, 0);
    }

    private void run(Kind kind, String instance, Delivery<String, String> delivery, long detail) {
        Message message = message(delivery.record().value());
        history.add(
                Event.of(nanoTime.getAsLong(), kind, instance, message, delivery.epoch(), delivery.attempt(), detail));
    }

    private Message message(byte[] value) {
        String id = id(new String(value, UTF_8));
        Message found = messages.get(id);
        if (found == null) {
            throw new IllegalStateException("nobody ever sent " + id);
        }
        return found;
    }

    void unstopped(String instance, TopicPartition partition) {
        add(Kind.UNSTOPPED, instance, partition.partition(), 0, 0, 0);
    }

    void paused(String instance, boolean drain) {
        add(Kind.PAUSED, instance, -1, 0, 0, drain ? 1 : 0);
    }

    void resumed(String instance, boolean drain) {
        add(Kind.RESUMED, instance, -1, 0, 0, drain ? 1 : 0);
    }

    void bulkAsked(String instance, String bulk) {
        bulk(Kind.BULK_ASKED, instance, bulk, "");
    }

    void bulkHolds(String instance, String bulk, List<String> keys) {
        keys.forEach(key -> bulk(Kind.BULK_HOLDS, instance, bulk, key));
    }

    void bulkFrees(String instance, String bulk, List<String> keys) {
        keys.forEach(key -> bulk(Kind.BULK_FREES, instance, bulk, key));
    }

    void bulkEnded(String instance, String bulk) {
        bulk(Kind.BULK_ENDED, instance, bulk, "");
    }

    private void bulk(Kind kind, String instance, String bulk, String key) {
        history.add(Event.of(nanoTime.getAsLong(), kind, instance, new Message(bulk, key, -1, 0, 0), 0, 0, 0));
    }

    void closed(String instance) {
        add(Kind.CLOSED, instance, -1, 0, 0, 0);
    }

    void died(String instance) {
        add(Kind.DEAD, instance, -1, 0, 0, 0);
    }

    void quiet(String instance, long left) {
        add(Kind.QUIET, instance, -1, 0, 0, left);
    }

    void finished(int partition, long committed, long end) {
        add(Kind.FINISH, "", partition, committed, 0, end);
    }

    void stalled() {
        add(Kind.STALL, "", -1, 0, 0, 0);
    }

    @Override
    public void assigned(String client, TopicPartition partition, long position, int generation) {
        add(Kind.ASSIGN, client, partition.partition(), position, generation, 0);
    }

    @Override
    public void revoking(String client, TopicPartition partition) {
        add(Kind.REVOKE, client, partition.partition(), 0, 0, 0);
    }

    @Override
    public void revoked(String client, TopicPartition partition) {
        add(Kind.REVOKED, client, partition.partition(), 0, 0, 0);
    }

    @Override
    public void lost(String client, TopicPartition partition) {
        add(Kind.LOST, client, partition.partition(), 0, 0, 0);
    }

    @Override
    public void expelled(String client) {
        add(Kind.EXPEL, client, -1, 0, 0, 0);
    }

    @Override
    public void committed(String client, TopicPartition partition, OffsetAndMetadata offset) {
        history.add(Event.commit(
                nanoTime.getAsLong(),
                client,
                partition.partition(),
                offset.offset(),
                offset.leaderEpoch().orElse(-1),
                ahead(partition, offset)));
    }

    /** What the next owner will read there; nothing if that can't believe it. */
    private static Ahead ahead(TopicPartition partition, OffsetAndMetadata offset) {
        AheadMap map;
        try {
            map = new AheadMapCodec(partition.topic(), partition.partition())
                    .note(offset.metadata(), offset.offset())
                    .map();
        } catch (UnreadableMapException e) {
            return Ahead.NOTHING;
        }
        return map == null
                ? Ahead.NOTHING
                : new Ahead(
                        LongStream.range(map.base(), map.end())
                                .filter(map::done)
                                .boxed()
                                .toList(),
                        map.leaderEpoch());
    }

    @Override
    public void visible(String client, ProducerRecord<byte[], byte[]> sent, long offset) {
        int dead = sent.topic().equals(DEAD) ? 1 : 0;
        history.add(Event.of(nanoTime.getAsLong(), Kind.OUTPUT, client, message(sent.value()), 0, dead, offset));
    }

    @Override
    public void settled(String client) {
        add(Kind.SETTLED, client, -1, 0, 0, 0);
    }

    @Override
    public void acknowledged(String client, ProducerRecord<byte[], byte[]> sent) {
        Kind kind = sent.topic().equals(DEAD) ? Kind.DLQ : Kind.ACK;
        history.add(Event.of(nanoTime.getAsLong(), kind, client, message(sent.value()), 0, 0, 0));
    }

    private void add(Kind kind, String instance, int partition, long offset, int epoch, long detail) {
        history.add(Event.of(nanoTime.getAsLong(), kind, instance, partition, offset, epoch, detail));
    }
}
