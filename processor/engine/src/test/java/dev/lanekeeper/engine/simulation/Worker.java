package dev.lanekeeper.engine.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.RetryLaterException;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.fate.Luck;
import dev.lanekeeper.engine.simulation.fate.Strand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The handler of one instance: takes its time, fails, emits, ends more than once or never, as chance has it. Confined to the
 * simulation's thread.
 */
final class Worker implements AsyncHandler<String, String> {
    private static final long WORK_NANOS = Duration.ofMillis(60).toNanos();
    private static final long VERY_SLOW_NANOS = Duration.ofSeconds(3).toNanos();

    private static final long NEVER_NANOS = Duration.ofDays(1).toNanos();
    private static final long SLICE_NANOS = Duration.ofMillis(30).toNanos();

    /** A message that begins with this fails whenever it is tried. */
    static final String POISON = "poison";

    private final World world;
    private final Clockwork clockwork;
    private final Luck luck;
    private final Host host;
    private final Recorder recorder;
    private final boolean interruptible;
    private final long fenceNanos;
    private boolean stuck;

    Worker(World world, Host host) {
        this.world = world;
        this.clockwork = world.clockwork();
        this.luck = world.luck();
        this.host = host;
        this.recorder = world.recorder();
        this.interruptible =
                world.plan().has(Trait.INTERRUPTING) && world.plan().has(Trait.LIMITED);
        this.fenceNanos = world.plan().fencedAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
    }

    /** Whether something will never end here. */
    boolean stuck() {
        return stuck;
    }

    @Override
    @SuppressWarnings("NullAway") // a handler that returns nothing is one of those that fail
    public CompletionStage<?> handle(Delivery<String, String> delivery) throws Exception {
        recorder.started(host.name(), delivery);
        if (luck.has(Chance.NEVER_ENDS)) {
            stuck = true;
            return new Handle();
        }
        Exception failure = drawn(List.of(delivery));
        if (luck.has(Chance.ENDS_AT_ONCE)) {
            return atOnce(delivery, failure);
        }
        Work work = new Work(delivery);
        clockwork.after(workNanos(), host, () -> {
            work.end(failure);
            if (luck.has(Chance.ENDS_TWICE)) {
                clockwork.after(
                        luck.delayNanos(WORK_NANOS),
                        host,
                        () -> work.handle.end(luck.has(Chance.THROWS) ? failure() : null));
            }
        });
        if (luck.has(Chance.HEEDS_CANCELLATION)) {
            delivery.onCancel(() -> work.end(failure()));
        }
        return work.handle;
    }

    /** The same on the calling thread, which is a strand. */
    void handleHere(Delivery<String, String> delivery) throws Exception {
        handleTogether(List.of(delivery));
    }

    /** The same for several at once: one call, and one failure. */
    void handleTogether(List<Delivery<String, String>> batch) throws Exception {
        long call = batch.size() == 1 ? 0 : world.nextCall();
        batch.forEach(delivery -> recorder.started(host.name(), delivery, call));
        Exception failure = drawn(batch);
        boolean never = luck.has(Chance.NEVER_ENDS);
        stuck |= never;
        try {
            if (never || !luck.has(Chance.ENDS_AT_ONCE)) {
                sleep(never ? NEVER_NANOS : workNanos());
            }
        } catch (InterruptedException e) {
            batch.forEach(delivery -> recorder.failed(host.name(), delivery));
            throw e;
        }
        batch.forEach(delivery -> end(delivery, failure));
        if (failure != null) {
            throw failure;
        }
    }

    /** In slices, after each of which an interrupt is noticed, if there are any. */
    private void sleep(long nanos) throws InterruptedException {
        long slice = interruptible ? SLICE_NANOS : nanos;
        for (long left = nanos; left > 0; left -= slice) {
            Strand.sleep(clockwork, host, Math.min(left, slice));
        }
    }

    private @Nullable Exception drawn(List<Delivery<String, String>> batch) {
        boolean poison = batch.stream()
                .anyMatch(
                        delivery -> delivery.value() != null && delivery.value().contains(POISON));
        return poison || luck.has(Chance.ATTEMPT_FAILS) ? failure() : null;
    }

    private long workNanos() {
        return luck.has(Chance.VERY_SLOW) ? luck.between(WORK_NANOS, VERY_SLOW_NANOS) : luck.delayNanos(WORK_NANOS);
    }

    private @Nullable CompletionStage<?> atOnce(Delivery<String, String> delivery, @Nullable Exception failure)
            throws Exception {
        end(delivery, failure);
        if (failure == null) {
            return CompletableFuture.completedFuture(null);
        }
        if (luck.has(Chance.THROWS)) {
            throw failure;
        }
        return failure instanceof IllegalStateException ? null : CompletableFuture.failedFuture(failure);
    }

    private void end(Delivery<String, String> delivery, @Nullable Exception failure) {
        if (failure != null) {
            recorder.failed(host.name(), delivery);
            return;
        }
        int outputs = 0;
        if (luck.has(Chance.EMITS)) {
            outputs = 1;
            String value = Recorder.id(String.valueOf(delivery.value())) + "|"
                    + (luck.has(Chance.TOO_LARGE) ? "x".repeat(FakeProducer.MOST_BYTES) : "");
            delivery.emit(new ProducerRecord<>(Recorder.OUT, value.getBytes(UTF_8)));
        }
        recorder.ended(host.name(), delivery, outputs);
    }

    private Exception failure() {
        if (luck.has(Chance.TERMINAL)) {
            return new TerminalException("never again");
        }
        return luck.between(0, 2) == 0
                ? new RetryLaterException(Duration.ofNanos(luck.delayNanos(WORK_NANOS)), "later", null)
                : new IllegalStateException("failed");
    }

    /** An attempt that goes on behind a handler that has returned. */
    private final class Work {
        private final Delivery<String, String> delivery;
        private final Handle handle = new Handle();
        private final long sinceNanos = clockwork.nowNanos();
        private boolean over;

        Work(Delivery<String, String> delivery) {
            this.delivery = delivery;
        }

        void end(@Nullable Exception failure) {
            if (over) {
                return;
            }
            over = true;
            if (delivery.cancelled() && clockwork.nowNanos() - sinceNanos >= fenceNanos) {
                recorder.late(host.name(), delivery);
            } else {
                Worker.this.end(delivery, failure);
            }
            handle.end(failure);
        }
    }

    /** A stage that can complete again, as none of Java's own does. */
    private static final class Handle extends CompletableFuture<Void> {
        private @Nullable BiConsumer<? super Void, ? super Throwable> action;

        @Override
        public CompletableFuture<Void> whenComplete(BiConsumer<? super Void, ? super Throwable> then) {
            action = then;
            return this;
        }

        @SuppressWarnings(
                "NullAway") // a stage completes with null or with a failure; the type of the action can't say so
        void end(@Nullable Throwable failure) {
            if (action != null) {
                action.accept(null, failure);
            }
        }
    }
}
