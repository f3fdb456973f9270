package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.LaneKeeper;
import dev.lanekeeper.engine.LaneKeeperBuilder;
import dev.lanekeeper.engine.SteppedEngine;
import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.simulation.cluster.FakeConsumer;
import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A process with one engine in it, its machine included. Confined to the simulation's thread. */
final class Instance implements SteppedEngine.Machine {
    static final int MAX_ATTEMPTS = 3;

    private static final RetryPolicy RETRY =
            new RetryPolicy(MAX_ATTEMPTS, Duration.ofMillis(10), Duration.ofMillis(100), 0.5);
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RELEASE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final World world;
    private final Clockwork clockwork;
    private final Host host;
    private final Duration drainTimeout;
    private final FakeConsumer consumer;
    private final String transactionalId;
    private final FakeProducer producer;
    private final Worker worker;
    private final SteppedEngine engine;
    private final Operator operator;
    private final Deque<Runnable> transactions = new ArrayDeque<>();
    private boolean transacts;
    private boolean beginning;
    private boolean closing;
    private int timers;

    Instance(World world, String name) {
        Plan.Shape shape = world.plan().shape();
        this.world = world;
        this.clockwork = world.clockwork();
        this.host = new Host(name);
        this.drainTimeout = shape.drainTimeout();
        this.consumer = world.sabotage().consumer(world.cluster(), world.group(), host, shape.mostRecords());
        this.transactionalId = world.transactionalId();
        this.producer = world.plan().has(Trait.TRANSACTIONS)
                ? world.sabotage().transactional(world.cluster(), host, transactionalId)
                : world.sabotage().producer(world.cluster(), host);
        this.worker = new Worker(world, host);
        this.engine = new SteppedEngine(world.sabotage().settings(builder(shape)), this);
        this.operator = new Operator(world, host, engine);
    }

    private LaneKeeperBuilder<String, String> builder(Plan.Shape shape) {
        LaneKeeperBuilder<String, String> builder = LaneKeeper.<String, String>builder()
                .name(host.name())
                .topics(Recorder.JOBS)
                .deserializers(new StringDeserializer(), (Deserializer<String>) (topic, data) -> decode(data))
                .retry(RETRY)
                .concurrency(shape.concurrency())
                .bufferRecords(shape.bufferRecords())
                .commitInterval(shape.commitInterval())
                .drainTimeout(drainTimeout)
                .deadLetters(Recorder.DEAD)
                .clock(() -> BEGINNING.plusNanos(clockwork.nowNanos()))
                .random(world.random())
                .consumer(() -> consumer)
                .producer(() -> producer);
        Plan plan = world.plan();
        if (plan.has(Trait.LIMITED)) {
            HandlerTimeout timeout = plan.has(Trait.FENCING)
                    ? HandlerTimeout.fence(shape.handlerLimit())
                    : HandlerTimeout.hold(shape.handlerLimit());
            boolean interrupts = plan.has(Trait.INTERRUPTING) && plan.blocks();
            builder.handlerTimeout(interrupts ? timeout.interrupting() : timeout);
        }
        if (plan.has(Trait.TRANSACTIONS)) {
            builder.exactlyOnce(transactionalId);
        }
        if (plan.has(Trait.STOPPING)) {
            builder.failures(FailurePolicy.of(OnFailure.STOP_PARTITION));
        }
        if (plan.has(Trait.BATCHES)) {
            return builder.batchHandler(
                    world.sabotage().batches(worker::handleTogether), BatchLimit.records(shape.batchRecords()));
        }
        return plan.has(Trait.BLOCKING)
                ? builder.handler(worker::handleHere)
                : builder.asyncHandler(world.sabotage().handler(worker));
    }

    private static String decode(byte[] data) {
        if (data[0] == '!') {
            throw new SerializationException("not to be decoded");
        }
        return new StringDeserializer().deserialize("", data);
    }

    Host host() {
        return host;
    }

    String transactionalId() {
        return transactionalId;
    }

    FakeConsumer consumer() {
        return consumer;
    }

    Operator operator() {
        return operator;
    }

    /** Whether a handler of its never ends. */
    boolean stuck() {
        return worker.stuck();
    }

    boolean alive() {
        return !host.dead();
    }

    /** What it has not put away. */
    long left() {
        long incomplete = engine.view().partitions().stream()
                .mapToLong(partition -> partition.incomplete())
                .sum();
        return engine.view().lanes().live()
                + engine.view().inFlight()
                + engine.view().queued()
                + incomplete
                + timers
                - (world.plan().has(Trait.LIMITED) ? 1 : 0); // the watch has one for ever
    }

    // -- its life

    void start() {
        beginning = true;
        engine.subscribe();
        beginning = false;
        clockwork.soon(host, this::pass);
    }

    /** Closes in good order, as soon as its poll thread comes to it. */
    void close() {
        closing = true;
    }

    boolean closing() {
        return closing;
    }

    void crash() {
        world.recorder().died(host.name());
        host.kill();
    }

    private void pass() {
        if (closing) {
            shutDown();
        } else if (engine.failure() != null) {
            fail();
        } else {
            try {
                int done = engine.runOnce();
                if (world.plan().has(Trait.STOPPING)) {
                    operator.lookAfterStops();
                }
                clockwork.after(world.luck().delayNanos(done > 0 ? BUSY_NANOS : IDLE_NANOS), host, this::pass);
            } catch (KafkaException e) {
                fail();
            }
        }
    }

    private void shutDown() {
        consumer.assignment().forEach(partition -> world.recorder().revoking(host.name(), partition));
        consumer.waitInPoll(true);
        try {
            engine.drainAndClose(drainTimeout);
        } catch (KafkaException e) {
            world.recorder().expelled(host.name());
        }
        release();
    }

    /** What runs is not waited for, so what becomes of it beside others is nobody's fault. */
    private void fail() {
        closing = true;
        world.recorder().expelled(host.name());
        engine.closeIntake();
        release();
        world.replace(Duration.ZERO);
    }

    private void release() {
        clockwork.await(
                host,
                clockwork.nowNanos() + RELEASE_NANOS,
                () -> engine.view().lanes().live() == 0);
        boolean drained = engine.view().lanes().live() == 0;
        engine.releaseResources(drained);
        if (drained) {
            world.recorder().closed(host.name());
        }
        crash();
    }

    // -- its machine

    @Override
    public long nanoTime() {
        return clockwork.nowNanos();
    }

    @Override
    public void execute(Runnable task) {
        if (world.luck().has(Chance.EXECUTOR_REFUSES)) {
            throw new RejectedExecutionException("full");
        }
        if (!world.sabotage().forgets()) {
            boolean blocks = world.plan().blocks();
            clockwork.soon(host, blocks ? () -> world.strands().run(task) : task);
        }
    }

    @Override
    public void probe(Runnable task) {
        clockwork.soon(host, task);
    }

    @Override
    public void transact(Runnable task) {
        if (beginning) {
            task.run();
            return;
        }
        transactions.add(task);
        transactNext();
    }

    private void transactNext() {
        Runnable next = transacts ? null : transactions.poll();
        if (next == null) {
            return;
        }
        transacts = true;
        clockwork.soon(
                host,
                () -> world.strands().run(() -> {
                    next.run();
                    transacts = false;
                    transactNext();
                }));
    }

    @Override
    public boolean await(BooleanSupplier done, long nanos) {
        clockwork.await(host, clockwork.nowNanos() + nanos, done);
        return done.getAsBoolean();
    }

    @Override
    public boolean schedule(Duration delay, Runnable task) {
        timers++;
        clockwork.after(delay.toNanos(), host, () -> {
            timers--;
            task.run();
        });
        return true;
    }

    @Override
    public void park(long nanos) {
        clockwork.giveWay(host, nanos);
    }
}
