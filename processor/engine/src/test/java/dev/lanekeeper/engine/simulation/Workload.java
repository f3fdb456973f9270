package dev.lanekeeper.engine.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.cluster.PartitionLog;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.history.Message;
import org.apache.kafka.common.TopicPartition;

/** Sends the messages of a world. Confined to the simulation's thread. */
final class Workload {
    private final World world;
    private int sent;

    Workload(World world) {
        this.world = world;
    }

    /** Puts all messages into the world's agenda. */
    void begin() {
        for (int i = world.plan().shape().messages(); i > 0; i--) {
            world.clockwork().after(world.luck().between(0, Plan.WORK_NANOS), world.host(), this::send);
        }
    }

    private void send() {
        int customer = (int) world.luck().between(0, world.plan().shape().keys());
        TopicPartition partition = new TopicPartition(
                Recorder.JOBS, customer % world.plan().shape().partitions());
        PartitionLog log = world.cluster().log(partition);
        if (world.luck().has(Chance.GAP)) {
            log.appendGap((int) world.luck().between(1, 4));
        }
        String id = Integer.toString(sent++);
        boolean keyless = world.luck().has(Chance.KEYLESS);
        String key = keyless ? "nobody" + id : "c" + customer;
        long offset = log.append(keyless ? null : key.getBytes(UTF_8), value(id).getBytes(UTF_8));
        world.recorder().submitted(new Message(id, key, partition.partition(), offset, log.leaderEpoch()));
        if (world.luck().has(Chance.GAP)) {
            log.appendGap(1);
        }
    }

    private String value(String id) {
        String mark = world.luck().has(Chance.UNDECODABLE) ? "!" : "";
        String poison = world.luck().has(Chance.POISON) ? Worker.POISON : "";
        String ballast = world.luck().has(Chance.TOO_LARGE) ? "x".repeat(FakeProducer.MOST_BYTES) : "";
        return mark + id + "|" + poison + ballast;
    }
}
