package dev.lanekeeper.benchmarks.peers.contenders;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** One thread with one consumer, for peers made by hand. {@link #step} and {@link #last} run on it. */
abstract class PollLoop {
    static final Duration POLL = Duration.ofMillis(50);
    private static final long LONGEST_STOP_MILLIS = TimeUnit.SECONDS.toMillis(20);

    private final Race race;
    private final Thread thread;
    private volatile boolean stopped;

    PollLoop(Race race, String name) {
        this.race = race;
        this.thread = new Thread(this::run, name);
    }

    /** One poll and what follows from it. */
    abstract void step(Consumer<String, byte[]> consumer);

    /** The farewell, after the last step. */
    void last(Consumer<String, byte[]> consumer) {}

    final Race race() {
        return race;
    }

    final boolean stopped() {
        return stopped;
    }

    final void start() {
        thread.start();
    }

    final void stop() throws InterruptedException {
        stopped = true;
        thread.join(LONGEST_STOP_MILLIS);
    }

    private void run() {
        Map<String, Object> settings = new HashMap<>(race.consumer());
        try (Consumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(race.topic()));
            while (!stopped) {
                step(consumer);
            }
            last(consumer);
        }
    }
}
