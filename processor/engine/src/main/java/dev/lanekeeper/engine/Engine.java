package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.intake.Closing;
import dev.lanekeeper.engine.intake.Completions;
import dev.lanekeeper.engine.intake.Intake;
import dev.lanekeeper.engine.intake.IntakeCounters;
import dev.lanekeeper.engine.intake.TopicIds;
import dev.lanekeeper.engine.result.DeadLetters;
import dev.lanekeeper.engine.result.Publisher;
import dev.lanekeeper.engine.result.Transactions;
import dev.lanekeeper.lanes.Lanes;
import dev.lanekeeper.lanes.LanesView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rooms of one engine, joined in the order of a record's walk, and everything that has to be closed in the end. Built
 * once, then only read.
 */
final class Engine {
    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /** Threads that call asynchronous handlers, which must not block: a few are enough. */
    private static final int ASYNC_WORKERS = 4;

    private static final Duration PUBLISH_PAUSE = Duration.ofSeconds(1);
    /** How soon a wait for the broker hears that the engine is to be closed. */
    private static final long LOOK_UP_MS = 100;

    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final Duration drainTimeout;
    private final Runnable subscribe;
    private final Producer<byte[], byte[]> producer;
    private final @Nullable Workers ownWorkers;
    private final @Nullable Permits permits;
    private final Pace pace;
    private final InstantSource clock;
    private final ExecutorService probes;
    private final Timer timer;
    private final @Nullable ExecutorService transactionThread;
    private final @Nullable Transactions transactions;
    private final Lanes<Bytes> lanes;
    private final Walk.Counters walkCounters;
    private final IntakeCounters intakeCounters = new IntakeCounters();
    private final @Nullable AdminTopicIds topicIds;
    private final Intake intake;
    private final Stops stops = new Stops();
    private final @Nullable Parking<?, ?> parking;
    private final Replays replays;
    private final Pauses pauses;
    private final Environment environment;
    private volatile int concurrency;

    static <K, V> Engine assemble(EngineSettings<K, V> settings, java.util.function.Consumer<Throwable> fatal) {
        Consumer<byte[], byte[]> consumer = settings.clients().consumers().get();
        try {
            return new Engine(settings, consumer, settings.clients().producers().get(), fatal);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    private <K, V> Engine(
            EngineSettings<K, V> settings,
            Consumer<byte[], byte[]> consumer,
            Producer<byte[], byte[]> producer,
            java.util.function.Consumer<Throwable> fatal) {
        this.name = settings.name();
        this.producer = producer;
        this.drainTimeout = settings.intake().drainTimeout();
        Executor given = settings.executor();
        this.concurrency = settings.concurrency();
        this.clock = settings.clock();
        boolean blocking = !(settings.call() instanceof Walk.Async);
        this.ownWorkers =
                given == null ? Workers.of(name, concurrency, blocking ? Integer.MAX_VALUE : ASYNC_WORKERS) : null;
        this.permits = ownWorkers != null && blocking ? null : new Permits(concurrency); // else the workers bound them
        this.environment = settings.environment();
        this.probes = environment.probes(name);
        this.timer = environment.timer(name);
        Executor workers = new PatientExecutor(given == null ? Objects.requireNonNull(ownWorkers) : given, timer);
        Executor afterPause = task -> timer.schedule(PUBLISH_PAUSE, () -> workers.execute(task));
        this.lanes = lanes(workers);
        this.transactionThread = settings.transactionalId() == null ? null : environment.transactionThread(name);
        this.transactions =
                transactionThread == null ? null : new Transactions(producer, transactionThread, environment.waiting());
        this.pace = new Pace(settings.rateLimit(), settings.laneRateLimit(), environment::nanoTime, timer);
        Completions completions = new Completions(environment::park);
        this.walkCounters = new Walk.Counters(environment::nanoTime);
        HandlerWatch watch = watch(settings);
        Parking<K, V> parking = parking(settings);
        this.parking = parking;
        Walk<K, V> walk = walk(
                settings,
                watch,
                parking,
                workers,
                transactions == null ? new Publisher(producer, afterPause, probes, fatal) : null,
                completions,
                fatal);
        var admins = settings.clients().admins();
        this.topicIds = admins == null ? null : new AdminTopicIds(admins, probes);
        this.intake = new Intake(
                consumer,
                new RecordRouter<>(walk, settings.laneKey()),
                completions,
                settings.intake(),
                intakeCounters,
                environment::nanoTime,
                topicIds == null ? TopicIds.UNKNOWN : topicIds,
                transactions);
        this.pauses = new Pauses(name, lanes, intake, timer, workers);
        this.replays = (key, limit, skips) -> parking == null ? none() : parking.replay(walk, key, limit, skips);
        this.subscribe = () -> {
            if (parking != null) {
                parking.group(consumer.groupMetadata().groupId());
            }
            if (watch != null) {
                watch.start();
            }
            settings.clients().subscription().accept(consumer, listener(parking));
        };
    }

    private Lanes<Bytes> lanes(Executor workers) {
        Lanes.Builder<Bytes> builder =
                Lanes.<Bytes>builder().name(name).executor(workers).clock(environment::nanoTime);
        ScheduledExecutorService alarms = environment.laneAlarms();
        return (alarms == null ? builder : builder.timer(alarms)).build();
    }

    /** The rooms that are here already, and those that only a record on its way needs. */
    private <K, V> Walk<K, V> walk(
            EngineSettings<K, V> settings,
            @Nullable HandlerWatch watch,
            @Nullable Parking<K, V> parking,
            Executor workers,
            @Nullable Publisher publisher,
            Completions completions,
            java.util.function.Consumer<Throwable> fatal) {
        return new Walk<>(
                lanes,
                settings.keys(),
                settings.values(),
                settings.call(),
                new Surroundings(settings.contexts()),
                settings.incarnation(),
                pace,
                permits,
                watch,
                new Judge(settings.retry(), settings.failures(), settings.random()),
                workers,
                timer,
                settings.results(),
                new DeadLetters(settings.deadLetters(), settings.clock()),
                publisher,
                ConcurrentHashMap.newKeySet(),
                stops,
                parking,
                completions,
                settings.clock(),
                walkCounters,
                fatal);
    }

    /** See {@link Parking#replay}. */
    private interface Replays {
        CompletableFuture<Long> replay(Bytes key, long limit, boolean skips);
    }

    private static CompletableFuture<Long> none() {
        return CompletableFuture.completedFuture(0L);
    }

    private @Nullable HandlerWatch watch(EngineSettings<?, ?> settings) {
        HandlerTimeout timeout = settings.handlerTimeout();
        return timeout == null
                ? null
                : new HandlerWatch(
                        timeout,
                        settings.call() instanceof Walk.Async,
                        timer,
                        settings.environment()::nanoTime,
                        probes,
                        walkCounters.overdue());
    }

    private <K, V> @Nullable Parking<K, V> parking(EngineSettings<K, V> settings) {
        EngineSettings.ParkingSettings where = settings.parking();
        return where == null ? null : new Parking<>(where.topic(), where.log(), probes, timer);
    }

    private ConsumerRebalanceListener listener(@Nullable Parking<?, ?> parking) {
        return parking == null
                ? intake.rebalanceListener()
                : new ParkingListener(intake.rebalanceListener(), parking, intake::assignments);
    }

    /** Where its records have their turns; whatever else takes a turn there keeps to the same order. */
    Lanes<Bytes> lanes() {
        return lanes;
    }

    Stops stops() {
        return stops;
    }

    /** {@code null} if nothing is ever parked. */
    @Nullable
    Parking<?, ?> parking() {
        return parking;
    }

    CompletableFuture<Long> replay(Bytes key, long limit, boolean skips) {
        return replays.replay(key, limit, skips);
    }

    String name() {
        return name;
    }

    Duration drainTimeout() {
        return drainTimeout;
    }

    Intake intake() {
        return intake;
    }

    /**
     * Takes part in the group. With transactions, first ends those that an earlier engine of the same id has left open; waits
     * until the broker has done so, or {@code wanted} says no.
     *
     * @return whether it takes part
     */
    boolean subscribe(BooleanSupplier wanted) {
        boolean ready = transactions == null || transactionThread == null;
        while (transactions != null && transactionThread != null && !ready && wanted.getAsBoolean()) {
            ready = begun(CompletableFuture.supplyAsync(transactions::begin, transactionThread), wanted);
        }
        if (ready) {
            subscribe.run();
        }
        return ready;
    }

    /** The broker may take as long as the producer's settings let it; a close doesn't wait for that. */
    private boolean begun(CompletableFuture<Boolean> begun, BooleanSupplier wanted) {
        while (wanted.getAsBoolean()) {
            try {
                return begun.get(LOOK_UP_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) { // time to look whether it is still wanted
                log.trace("{}: the broker has not ended earlier transactions yet", name, e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
        return false;
    }

    Pace pace() {
        return pace;
    }

    synchronized void concurrency(int attempts) {
        concurrency = attempts;
        if (permits != null) {
            permits.resize(attempts);
        }
        if (ownWorkers != null) {
            ownWorkers.resize(attempts);
        }
    }

    boolean onWorkerThread() {
        return lanes.onTaskThread();
    }

    Pauses pauses() {
        return pauses;
    }

    /** The times of a close that is asked for now. */
    Closing closingWithin(Duration timeout) {
        return Closing.within(timeout, environment::nanoTime);
    }

    EngineView view(Supplier<EngineState> state, Supplier<@Nullable Throwable> failure) {
        return new EngineView(
                state,
                failure,
                pauses::state,
                () -> concurrency,
                intakeCounters,
                walkCounters,
                lanes.view(),
                this::heads,
                intake::assignments,
                stops::view,
                parking == null ? List::of : parking::view);
    }

    private List<LaneHead> heads() {
        long now = environment.nanoTime();
        List<LaneHead> heads = new ArrayList<>();
        for (LanesView.Held<Bytes> place : lanes.view().held()) {
            if (place.ticket() instanceof WatchedTicket ticket) {
                heads.add(ticket.head(place, now, clock));
            }
        }
        return heads;
    }

    /**
     * After the intake has been closed: lets dropped records leave their lanes, interrupts what still runs.
     *
     * @param outOfTime whether what still runs was given its time already
     * @param closing by when it has to be over; {@code null} after an error
     */
    void releaseResources(boolean outOfTime, @Nullable Closing closing) {
        pauses.end(); // what waits behind one has been dropped and can leave
        boolean drained = false;
        try {
            drained = lanes.close(outOfTime ? Duration.ZERO : left(closing));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        timer.close();
        probes.shutdownNow();
        if (topicIds != null) {
            topicIds.close();
        }
        if (transactions != null && transactionThread != null) {
            transactions.close();
            transactionThread.shutdown();
        }
        if (ownWorkers != null) {
            ownWorkers.close(!drained);
        }
        producer.close(left(closing));
    }

    private static Duration left(@Nullable Closing closing) {
        return closing == null ? RELEASE_TIMEOUT : closing.end().left(RELEASE_TIMEOUT);
    }
}
