package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A handler whose runs begin when the engine likes and end when a test says so. Thread-safe. */
final class Puppet {
    /** One run. */
    record Run(Delivery<String, String> delivery, Thread thread, CompletableFuture<Void> end) {
        String value() {
            return String.valueOf(delivery.value());
        }

        void finish() {
            end.complete(null);
        }

        void fail(Throwable cause) {
            end.completeExceptionally(cause);
        }
    }

    private final List<Run> runs = new ArrayList<>();

    Handler<String, String> blocking() {
        return delivery -> {
            Throwable failure =
                    begin(delivery).handle((ignored, thrown) -> thrown).get();
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure != null) {
                throw (Exception) failure;
            }
        };
    }

    AsyncHandler<String, String> async() {
        return this::begin;
    }

    private CompletableFuture<Void> begin(Delivery<String, String> delivery) {
        Run run = new Run(delivery, Thread.currentThread(), new CompletableFuture<>());
        synchronized (runs) {
            runs.add(run);
        }
        return run.end();
    }

    /** Waits for the run with this number, from 0, of the record with this value. */
    Run run(String value, int number) {
        return EngineRig.await()
                .until(
                        () -> started().stream()
                                .filter(run -> run.value().equals(value))
                                .skip(number)
                                .toList(),
                        found -> !found.isEmpty())
                .get(0);
    }

    /** Waits for the first run of the record with this value. */
    Run run(String value) {
        return run(value, 0);
    }

    List<Run> started() {
        synchronized (runs) {
            return List.copyOf(runs);
        }
    }

    /** The values of all runs so far, in the order of their beginnings. */
    List<String> values() {
        return started().stream().map(Run::value).toList();
    }

    void finishAll() {
        started().forEach(Run::finish);
    }
}
