package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Completions;
import dev.lanekeeper.engine.intake.Intake;
import dev.lanekeeper.engine.intake.IntakeCounters;
import dev.lanekeeper.engine.result.DeadLetters;
import dev.lanekeeper.engine.result.Publisher;
import dev.lanekeeper.engine.result.Transactions;
import dev.lanekeeper.lanes.LaneThreads;
import dev.lanekeeper.lanes.Lanes;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The rooms of one engine, joined in the order of a record's walk, and everything that has to be closed in the end. Built
 * once, then only read.
 */
final class Engine {
    /** Threads that call asynchronous handlers, which must not block: a few are enough. */
    private static final int ASYNC_WORKERS = 4;

    private static final Duration PUBLISH_PAUSE = Duration.ofSeconds(1);
    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final Duration drainTimeout;
    private final Runnable subscribe;
    private final Producer<byte[], byte[]> producer;
    private final @Nullable ExecutorService ownWorkers;
    private final ExecutorService probes;
    private final Timer timer;
    private final @Nullable ExecutorService transactionThread;
    private final @Nullable Transactions transactions;
    private final Lanes<Bytes> lanes;
    private final Walk.Counters walkCounters;
    private final IntakeCounters intakeCounters = new IntakeCounters();
    private final Intake intake;

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
        this.ownWorkers = given == null ? workers(settings) : null;
        Environment environment = settings.environment();
        this.probes = environment.probes(name);
        this.timer = environment.timer(name);
        Executor workers = new PatientExecutor(given == null ? Objects.requireNonNull(ownWorkers) : given, timer);
        Executor afterPause = task -> timer.schedule(PUBLISH_PAUSE, () -> workers.execute(task));
        this.lanes = Lanes.<Bytes>builder()
                .name(name)
                .executor(workers)
                .clock(environment::nanoTime)
                .build();
        this.transactionThread = settings.transactionalId() == null ? null : environment.transactionThread(name);
        this.transactions = transactionThread == null ? null : new Transactions(producer, transactionThread);
        boolean workersBoundAttempts = ownWorkers != null && settings.call() instanceof Walk.Blocking;
        Completions completions = new Completions();
        this.walkCounters = new Walk.Counters(environment::nanoTime);
        Walk<K, V> walk = new Walk<>(
                lanes,
                settings.keys(),
                settings.values(),
                settings.call(),
                workersBoundAttempts ? null : new Permits(settings.concurrency()),
                settings.retry(),
                workers,
                timer,
                settings.random(),
                settings.results(),
                new DeadLetters(settings.deadLetters(), settings.clock()),
                transactions == null ? new Publisher(producer, afterPause, probes, fatal) : null,
                completions,
                settings.clock(),
                walkCounters,
                fatal);
        this.intake = new Intake(
                consumer,
                new RecordRouter<>(walk, settings.laneKey()),
                completions,
                settings.intake(),
                intakeCounters,
                environment::nanoTime,
                transactions);
        this.subscribe = () -> settings.clients().subscription().accept(consumer, intake.rebalanceListener());
    }

    private static ExecutorService workers(EngineSettings<?, ?> settings) {
        int threads = settings.call() instanceof Walk.Blocking
                ? settings.concurrency()
                : Math.min(settings.concurrency(), ASYNC_WORKERS);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                LaneThreads.factory(settings.name() + "-worker"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
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
     * Takes part in the group. With transactions, first ends those that an earlier engine of the same id has left open; blocks
     * until the broker has done so, or {@code wanted} says no.
     */
    void subscribe(BooleanSupplier wanted) {
        boolean ready = transactions == null;
        while (transactions != null && !ready && wanted.getAsBoolean()) {
            ready = transactions.begin();
        }
        if (ready) {
            subscribe.run();
        }
    }

    boolean onWorkerThread() {
        return lanes.onTaskThread();
    }

    EngineView view(Supplier<EngineState> state) {
        return new EngineView(state, intakeCounters, walkCounters, lanes.view(), intake::assignments);
    }

    /**
     * After the intake has been closed: lets dropped records leave their lanes, interrupts what still runs.
     *
     * @param outOfTime whether what still runs was given its time already
     */
    void releaseResources(boolean outOfTime) {
        boolean drained = false;
        try {
            drained = lanes.close(outOfTime ? Duration.ZERO : RELEASE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        timer.close();
        probes.shutdownNow();
        if (transactions != null && transactionThread != null) {
            transactions.close();
            transactionThread.shutdown();
        }
        if (ownWorkers != null) {
            if (drained) {
                ownWorkers.shutdown();
            } else {
                ownWorkers.shutdownNow();
            }
        }
        producer.close(RELEASE_TIMEOUT);
    }
}
