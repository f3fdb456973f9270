package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.engine.handler.HandlerContext;
import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.RateLimit;
import dev.lanekeeper.engine.handler.ResultWriter;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.intake.IntakeSettings;
import dev.lanekeeper.engine.parking.ParkingLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link LaneKeeper}. Needed: {@link #kafka} with {@code bootstrap.servers} and {@code group.id}, {@link #topics},
 * {@link #deserializers}, and one of {@link #handler}, {@link #asyncHandler} and {@link #batchHandler}. Everything else has
 * a default. A wrong argument is refused at the call, with its name and value. Not thread-safe.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
public final class LaneKeeperBuilder<K, V> {
    private static final int WINDOW_RECORDS = 24_000;

    private final ClientSettings settings = new ClientSettings();
    private String name = "lanekeeper";
    private final TopicSettings topics = new TopicSettings();
    private @Nullable Deserializer<? extends K> keys;
    private @Nullable Deserializer<? extends V> values;
    private Walk.@Nullable Call<K, V> call;
    private Function<? super ConsumerRecord<byte[], byte[]>, byte @Nullable []> laneKey = ConsumerRecord::key;
    private @Nullable ResultWriter<V> results;
    private RetryPolicy retry = RetryPolicy.DEFAULT;
    private FailurePolicy failures = FailurePolicy.DEFAULT;
    private @Nullable HandlerTimeout handlerTimeout;
    private int concurrency = 100;
    private RateLimit rateLimit = RateLimit.UNLIMITED;
    private RateLimit laneRateLimit = RateLimit.UNLIMITED;
    private int incarnation;
    private final List<HandlerContext> contexts = new ArrayList<>();
    private IntakeSettings intake =
            new IntakeSettings(10_000, 64L << 20, WINDOW_RECORDS, Duration.ofSeconds(1), Duration.ofSeconds(30));
    private @Nullable Executor executor;
    private InstantSource clock = new SteadyClock();
    private RandomGenerator random = new Random();
    private @Nullable Supplier<? extends Consumer<byte[], byte[]>> consumer;
    private @Nullable Supplier<? extends Producer<byte[], byte[]>> producer;
    private Environment environment = Environment.MACHINE;

    LaneKeeperBuilder() {}

    /** Settings of both clients, as Kafka names them; {@code bootstrap.servers} and {@code group.id} at least. */
    public LaneKeeperBuilder<K, V> kafka(Map<String, ?> settings) {
        this.settings.common(settings);
        return this;
    }

    /** Settings of the consumer, over those of {@link #kafka}. */
    public LaneKeeperBuilder<K, V> consumerSettings(Map<String, ?> settings) {
        this.settings.consumer(settings);
        return this;
    }

    /** Settings of the producer, over those of {@link #kafka}. */
    public LaneKeeperBuilder<K, V> producerSettings(Map<String, ?> settings) {
        this.settings.producer(settings);
        return this;
    }

    /** The topics to consume. */
    public LaneKeeperBuilder<K, V> topics(String... topics) {
        return topics(List.of(topics));
    }

    /** The topics to consume. */
    public LaneKeeperBuilder<K, V> topics(Collection<String> topics) {
        this.topics.names(topics);
        return this;
    }

    /** Consumes all topics whose name matches, those created later too. */
    public LaneKeeperBuilder<K, V> topics(Pattern pattern) {
        topics.pattern(Objects.requireNonNull(pattern, "pattern"));
        return this;
    }

    /**
     * How to decode keys and values. Called on worker threads, in the record's lane, several at once: they must be
     * thread-safe. A record that they refuse is dead-lettered with the stage {@code decode}. Not closed by the engine.
     */
    public LaneKeeperBuilder<K, V> deserializers(Deserializer<? extends K> keys, Deserializer<? extends V> values) {
        this.keys = Objects.requireNonNull(keys, "keys");
        this.values = Objects.requireNonNull(values, "values");
        return this;
    }

    /**
     * What makes two records belong to the same customer: the record key by default, by its bytes. Called on the poll
     * thread: it must be quick and must not block. A record for which it returns {@code null} or throws is dead-lettered.
     */
    public LaneKeeperBuilder<K, V> laneKey(
            Function<? super ConsumerRecord<byte[], byte[]>, byte @Nullable []> laneKey) {
        this.laneKey = Objects.requireNonNull(laneKey, "laneKey");
        return this;
    }

    /** The work to do, on the calling thread. */
    public LaneKeeperBuilder<K, V> handler(Handler<? super K, ? super V> handler) {
        this.call = new Walk.Blocking<>(Objects.requireNonNull(handler, "handler"));
        return this;
    }

    /** The work to do, ending when the handler's stage completes. */
    public LaneKeeperBuilder<K, V> asyncHandler(AsyncHandler<? super K, ? super V> handler) {
        this.call = new Walk.Async<>(Objects.requireNonNull(handler, "handler"));
        return this;
    }

    /** The work to do for several records of a customer at once, on the calling thread. */
    public LaneKeeperBuilder<K, V> batchHandler(BatchHandler<? super K, ? super V> handler, BatchLimit limit) {
        call = new Walk.Batched<>(Objects.requireNonNull(handler, "handler"), Objects.requireNonNull(limit, "limit"));
        return this;
    }

    /** Records to send for each final result, besides what handlers emit; none by default. */
    public LaneKeeperBuilder<K, V> results(ResultWriter<V> results) {
        this.results = Objects.requireNonNull(results, "results");
        return this;
    }

    /** The topic for records that failed for good; {@code dead-letters} by default. */
    public LaneKeeperBuilder<K, V> deadLetters(String topic) {
        topics.deadLetters(topic);
        return this;
    }

    /**
     * The topic for parked records, {@code parked-records} by default; it must exist, be compacted and have no retention. An
     * engine whose {@link #failures} never park does not read it unless it is named here: name it as long as anything is
     * parked.
     */
    public LaneKeeperBuilder<K, V> parkedRecords(String topic) {
        topics.parkedRecords(topic);
        return this;
    }

    /** Reads parked records in another way, as for tests. */
    LaneKeeperBuilder<K, V> parkingLog(ParkingLog parkingLog) {
        topics.parkingLog(parkingLog);
        return this;
    }

    /** What follows failures, by their class, and what follows final ones; {@link FailurePolicy#DEFAULT} by default. */
    public LaneKeeperBuilder<K, V> failures(FailurePolicy failures) {
        this.failures = Objects.requireNonNull(failures, "failures");
        return this;
    }

    /** How long an attempt may take, and what follows if it takes longer; no limit by default. */
    public LaneKeeperBuilder<K, V> handlerTimeout(HandlerTimeout timeout) {
        this.handlerTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /** Reports attempts that take longer; see {@link HandlerTimeout#hold}. */
    public LaneKeeperBuilder<K, V> handlerTimeout(Duration limit) {
        return handlerTimeout(HandlerTimeout.hold(limit));
    }

    /** How often and when a failed attempt is followed by another; {@link RetryPolicy#DEFAULT} by default. */
    public LaneKeeperBuilder<K, V> retry(RetryPolicy retry) {
        this.retry = Objects.requireNonNull(retry, "retry");
        return this;
    }

    /** The largest number of attempts under way at once, blocking or asynchronous; 100 by default. */
    public LaneKeeperBuilder<K, V> concurrency(int concurrency) {
        this.concurrency = EngineSettings.requireConcurrency(concurrency);
        return this;
    }

    /** How many attempts of all lanes together may begin in a while; unlimited by default. Who waits for it holds no thread. */
    public LaneKeeperBuilder<K, V> rateLimit(RateLimit limit) {
        this.rateLimit = Objects.requireNonNull(limit, "limit");
        return this;
    }

    /** The same for the attempts of each lane, and so of each customer; other lanes don't wait for one that is limited. */
    public LaneKeeperBuilder<K, V> laneRateLimit(RateLimit limit) {
        this.laneRateLimit = Objects.requireNonNull(limit, "limit");
        return this;
    }

    /** Which life of the stream this is, 0 by default: see {@link dev.lanekeeper.engine.handler.FencingToken}. */
    public LaneKeeperBuilder<K, V> incarnation(int incarnation) {
        if (incarnation < 0) {
            throw new IllegalArgumentException("incarnation must not be negative: " + incarnation);
        }
        this.incarnation = incarnation;
        return this;
    }

    /** Adds what is to surround each call of the handler, inside what was added before. */
    public LaneKeeperBuilder<K, V> context(HandlerContext context) {
        contexts.add(Objects.requireNonNull(context, "context"));
        return this;
    }

    /**
     * Has the log context (SLF4J's MDC) say during each call of the handler which record it has: {@code lanekeeper.topic},
     * {@code .partition}, {@code .offset} and {@code .attempt}. Only on the thread of the call.
     */
    public LaneKeeperBuilder<K, V> logContext() {
        return context(new LogContext());
    }

    /** Records delivered and not done above which fetching is held back, over all partitions; 10,000 by default. */
    public LaneKeeperBuilder<K, V> bufferRecords(int records) {
        intake = intake.withBufferRecords(records);
        return this;
    }

    /** The same in bytes of keys and values; 64 MiB by default. */
    public LaneKeeperBuilder<K, V> bufferBytes(long bytes) {
        intake = intake.withBufferBytes(bytes);
        return this;
    }

    /** Time between commits; 1 s by default. */
    public LaneKeeperBuilder<K, V> commitInterval(Duration interval) {
        intake = intake.withCommitInterval(interval);
        return this;
    }

    /**
     * Longest wait for running records when a partition is revoked and when the engine closes; 30 s by default. Cut to half
     * of the consumer's {@code max.poll.interval.ms} if it is longer, or the group would give the engine up while it waits.
     */
    public LaneKeeperBuilder<K, V> drainTimeout(Duration timeout) {
        intake = intake.withDrainTimeout(timeout);
        return this;
    }

    /**
     * Exactly-once delivery into Kafka: what handlers emit, results, dead letters and the offsets of what they were made from
     * are committed in one transaction per commit interval. Readers must read committed records only. Outside Kafka nothing
     * changes: a handler's other effects can still happen twice.
     *
     * <p>Shorten {@link #commitInterval}: it is how long readers wait, and 100 ms are usual. A lane goes on before its outputs
     * are committed. A topic that can't be written to holds up everything. An output that the broker refuses is replaced by a
     * dead letter, whatever {@link #failures} say, since its lane has gone on. Records can't be parked: what is replayed is
     * taken out of the parking topic by itself, in no transaction that commits an offset.
     *
     * @param transactionalId unique among the instances that run at the same time, and the same after a restart, so that
     *     what was begun before it is aborted at once and not after {@code transaction.timeout.ms}, 10 s by default here
     */
    public LaneKeeperBuilder<K, V> exactlyOnce(String transactionalId) {
        settings.transactional(transactionalId);
        return this;
    }

    /** Names the engine in its threads and log lines; {@code lanekeeper} by default. */
    public LaneKeeperBuilder<K, V> name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Where handlers run. By default threads of the engine's own: virtual ones where the JVM has them (21 and later), else
     * platform threads; as many as the concurrency for handlers that block, a few for an {@link #asyncHandler}. It must not
     * run tasks in the calling thread. Not shut down by the engine.
     */
    public LaneKeeperBuilder<K, V> executor(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /** Wall-clock time; by default the system's, except that it never goes back. */
    public LaneKeeperBuilder<K, V> clock(InstantSource clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
        return this;
    }

    /** Randomness for the jitter of retries. Must be thread-safe. */
    public LaneKeeperBuilder<K, V> random(RandomGenerator random) {
        this.random = Objects.requireNonNull(random, "random");
        return this;
    }

    /**
     * Brings a consumer of the caller's own making, as for tests; the settings for consumers are then not used, and a topic
     * that is made anew under its name is taken for the same.
     */
    public LaneKeeperBuilder<K, V> consumer(Supplier<? extends Consumer<byte[], byte[]>> consumer) {
        this.consumer = Objects.requireNonNull(consumer, "consumer");
        return this;
    }

    /** Brings a producer of the caller's own making, as for tests; the settings for producers are then not used. */
    public LaneKeeperBuilder<K, V> producer(Supplier<? extends Producer<byte[], byte[]>> producer) {
        this.producer = Objects.requireNonNull(producer, "producer");
        return this;
    }

    /** For simulations: time, timers and threads of another making. */
    LaneKeeperBuilder<K, V> environment(Environment environment) {
        this.environment = environment;
        return this;
    }

    /**
     * Makes the engine and its clients; nothing is polled before {@link LaneKeeper#start}.
     *
     * @throws IllegalStateException if something needed is missing
     * @throws IllegalArgumentException if client settings contradict what the engine promises
     */
    public LaneKeeper<K, V> build() {
        return new LaneKeeper<>(settings());
    }

    EngineSettings<K, V> settings() {
        required(keys, "deserializers");
        required(call, "a handler, asyncHandler or batchHandler");
        topics.check(failures.parks());
        topics.refuseToPark(failures.parks(), settings.transactionalId());
        return new EngineSettings<>(
                name,
                clients(),
                laneKey,
                required(keys, "deserializers"),
                required(values, "deserializers"),
                required(call, "a handler, asyncHandler or batchHandler"),
                results,
                topics.deadLetters(),
                topics.parking(failures.parks(), settings::newReader),
                retry,
                failures,
                handlerTimeout,
                concurrency,
                rateLimit,
                laneRateLimit,
                incarnation,
                List.copyOf(contexts),
                boundedIntake(),
                settings.transactionalId(),
                executor,
                clock,
                random,
                environment);
    }

    private static <T> T required(@Nullable T value, String what) {
        if (value == null) {
            throw new IllegalStateException(what + " must be set");
        }
        return value;
    }

    private Clients clients() {
        return new Clients(
                consumer != null ? consumer : settings::newConsumer,
                producer != null ? producer : settings::newProducer,
                consumer != null ? null : settings::newAdmin,
                topics.subscription());
    }

    /** With the drain timeout bounded by what the group allows between two polls. */
    private IntakeSettings boundedIntake() {
        Duration longest = settings.maxPollInterval().dividedBy(2);
        return consumer != null || intake.drainTimeout().compareTo(longest) <= 0
                ? intake
                : intake.withDrainTimeout(longest);
    }
}
