package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.handler.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A batch handler whose runs begin when the engine likes and end when a test says so. Thread-safe. */
final class BatchPuppet {
    private final EngineRig rig;
    private final List<Run> runs = new ArrayList<>();

    /** One run. */
    record Run(List<Delivery<String, String>> batch, CompletableFuture<Void> end) {
        List<String> values() {
            return batch.stream()
                    .map(delivery -> String.valueOf(delivery.value()))
                    .toList();
        }

        List<Integer> attempts() {
            return batch.stream().map(Delivery::attempt).toList();
        }

        /** Each record emits its value. */
        Run emit() {
            batch.forEach(delivery -> delivery.emit(
                    new ProducerRecord<>("out", String.valueOf(delivery.value()).getBytes(UTF_8))));
            return this;
        }

        void finish() {
            end.complete(null);
        }

        void fail(Throwable cause) {
            end.completeExceptionally(cause);
        }
    }

    BatchPuppet(EngineRig rig) {
        this.rig = rig;
    }

    BatchHandler<String, String> handler() {
        return batch -> {
            Run run = new Run(batch, new CompletableFuture<>());
            synchronized (runs) {
                runs.add(run);
            }
            Throwable failure = run.end().handle((ignored, thrown) -> thrown).get();
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure != null) {
                throw (Exception) failure;
            }
        };
    }

    /** Waits for the run with this number, from 0, that has these records and no others. */
    Run run(int number, String... values) {
        return EngineRig.await()
                .until(
                        () -> started().stream()
                                .filter(run -> run.values().equals(List.of(values)))
                                .skip(number)
                                .toList(),
                        found -> !found.isEmpty())
                .get(0);
    }

    Run run(String... values) {
        return run(0, values);
    }

    /** Has these wait behind a record {@code a=first}, whose run it answers. */
    Run holding(LaneKeeper<?, ?> keeper, String... records) {
        long polled = keeper.view().polled();
        rig.send("a=first");
        Run first = run("first");
        rig.send(records);
        EngineRig.await().until(() -> keeper.view().polled() == polled + 1 + records.length);
        rig.awaitPasses(2); // they are in their lanes
        return first;
    }

    List<Run> started() {
        synchronized (runs) {
            return List.copyOf(runs);
        }
    }

    /** The batches so far, in the order of their beginnings. */
    List<List<String>> batches() {
        return started().stream().map(Run::values).toList();
    }

    void finishAll() {
        started().forEach(Run::finish);
    }
}
