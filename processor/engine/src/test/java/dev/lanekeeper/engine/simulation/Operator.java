package dev.lanekeeper.engine.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.EngineView;
import dev.lanekeeper.engine.SteppedEngine;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.fate.Luck;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks an engine for what people and other programs ask it for: pauses, which it holds for a while or gives up, and bulks.
 * Confined to the simulation's thread.
 */
final class Operator {
    private static final long STOP_NANOS = Duration.ofMillis(300).toNanos();
    private static final long BULK_NANOS = Duration.ofMillis(200).toNanos();

    private final Clockwork clockwork;
    private final Luck luck;
    private final Host host;
    private final Recorder recorder;
    private final Sabotage sabotage;
    private final SteppedEngine engine;
    private final List<Held> held = new ArrayList<>();
    private final Set<TopicPartition> awaited = new HashSet<>();
    private int bulks;

    private record Held(Pause pause, boolean drain) {}

    Operator(World world, Host host, SteppedEngine engine) {
        this.clockwork = world.clockwork();
        this.luck = world.luck();
        this.host = host;
        this.recorder = world.recorder();
        this.sabotage = world.sabotage();
        this.engine = engine;
    }

    /** Asks for a pause, or for a drain, and keeps it for so long if it gets it. */
    void pause(boolean drain, PauseMode mode, Duration timeout, long nanos) {
        CompletableFuture<Pause> asked;
        try {
            asked = drain ? engine.drain(timeout) : sabotage.pause(engine, mode, timeout);
        } catch (RejectedExecutionException e) { // it is closing
            return;
        }
        CompletableFuture<Pause> unused = asked.whenComplete((pause, failure) -> {
            if (failure == null) {
                hold(new Held(pause, drain), nanos);
            }
        });
        if (luck.has(Chance.GIVEN_UP)) {
            clockwork.after(luck.between(0, timeout.toNanos() + 1), host, () -> asked.cancel(false));
        }
    }

    private void hold(Held pause, long nanos) {
        recorder.paused(host.name(), pause.drain());
        held.add(pause);
        clockwork.after(nanos, host, () -> {
            if (held.remove(pause)) {
                recorder.resumed(host.name(), pause.drain());
            }
            pause.pause().close();
        });
    }

    /** Ends all pauses, whoever holds them. */
    void resume() {
        held.forEach(pause -> recorder.resumed(host.name(), pause.drain()));
        held.clear();
        engine.resume();
    }

    /** Has partitions that are stopped go on, some time later, with the record that stopped them or without it. */
    void lookAfterStops() {
        for (EngineView.StoppedPartition stop : engine.view().stoppedPartitions()) {
            TopicPartition partition = stop.topicPartition();
            if (awaited.add(partition)) {
                clockwork.after(luck.between(0, STOP_NANOS), host, () -> {
                    awaited.remove(partition);
                    recorder.unstopped(host.name(), partition);
                    engine.resumePartition(partition, luck.between(0, 2) == 0);
                });
            }
        }
    }

    /** Does something with the customers of these keys that takes a while. */
    void bulk(List<String> keys) {
        String id = host.name() + "-bulk" + ++bulks;
        recorder.bulkAsked(host.name(), id);
        try {
            CompletableFuture<Void> unused = sabotage.bulk(
                            engine,
                            keys.stream().map(key -> key.getBytes(UTF_8)).toList(),
                            () -> run(id, keys))
                    .whenComplete((nothing, failure) -> recorder.bulkEnded(host.name(), id));
        } catch (RejectedExecutionException e) { // it is closing
            recorder.bulkEnded(host.name(), id);
        }
    }

    private CompletableFuture<Void> run(String id, List<String> keys) {
        CompletableFuture<Void> work = new CompletableFuture<>();
        recorder.bulkHolds(host.name(), id, keys);
        clockwork.after(luck.delayNanos(BULK_NANOS), host, () -> {
            recorder.bulkFrees(host.name(), id, keys);
            if (luck.has(Chance.ATTEMPT_FAILS)) {
                work.completeExceptionally(new IllegalStateException("failed"));
            } else {
                work.complete(null);
            }
        });
        return work;
    }
}
