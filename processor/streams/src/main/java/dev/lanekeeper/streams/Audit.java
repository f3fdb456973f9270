package dev.lanekeeper.streams;

import dev.lanekeeper.streams.AuditSettings.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One audit from the first record to the last: reads both topics to their ends, decides what is lost or unknown, and
 * leaves nothing behind. Immutable; {@link #run} may be called more than once and from several threads.
 */
public final class Audit {
    private static final Logger log = LoggerFactory.getLogger(Audit.class);
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(100);
    private static final Duration STALL_LIMIT = Duration.ofSeconds(60);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final AuditSettings settings;
    private final Map<String, Object> streams;

    /**
     * Prepares an audit.
     *
     * @param settings what to read, and how strictly
     * @param streams settings of Kafka Streams and its clients, {@code bootstrap.servers} at least. With an {@code
     *     application.id} the audit goes on under that name and keeps its state, which takes {@link Stores#PERSISTENT};
     *     without one it makes one up, and deletes everything of that name at the end
     * @throws IllegalArgumentException if a setting is missing or does not fit
     */
    public Audit(AuditSettings settings, Map<String, ?> streams) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.streams = new HashMap<>(streams);
        if (!streams.containsKey(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException("bootstrap.servers is missing: an audit needs brokers to read from");
        }
        Object applicationId = streams.get(StreamsConfig.APPLICATION_ID_CONFIG);
        if (applicationId != null && settings.stores() != Stores.PERSISTENT) {
            throw new IllegalArgumentException(
                    "application.id needs persistent stores, for what is in memory is gone when the run ends: "
                            + applicationId);
        }
    }

    /**
     * Reads until both topics are at their ends and nothing new has come for {@code untilIdle}; blocks for as long.
     *
     * @param progress hears how far it is
     * @return what was found; look at {@link AuditReport#clean}
     * @throws AuditException if a topic is missing or does not fit, the brokers cannot be reached, or reading stops short
     */
    public AuditReport run(Duration untilIdle, AuditProgress progress) throws InterruptedException {
        if (untilIdle.isNegative() || untilIdle.isZero()) {
            throw new IllegalArgumentException("untilIdle must be above zero: " + untilIdle);
        }
        Objects.requireNonNull(progress, "progress");
        Object given = streams.get(StreamsConfig.APPLICATION_ID_CONFIG);
        String applicationId = given == null ? "lanekeeper-audit-" + UUID.randomUUID() : given.toString();
        try (Admin admin = Admin.create(adminConfig())) {
            AuditScope scope = new AuditScope(admin, isolation(), settings);
            if (given != null) {
                return read(scope, applicationId, null, untilIdle, progress);
            }
            Path folder = temporaryFolder();
            try {
                return read(scope, applicationId, folder, untilIdle, progress);
            } finally {
                forget(scope, applicationId, folder);
            }
        }
    }

    private AuditReport read(
            AuditScope scope, String applicationId, @Nullable Path folder, Duration untilIdle, AuditProgress progress)
            throws InterruptedException {
        AuditTopology audit = new AuditTopology(settings, scope.starts(settings.sentTopic()));
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        CountDownLatch failed = new CountDownLatch(1);
        KafkaStreams running = new KafkaStreams(audit.topology(), streamsConfig(applicationId, folder));
        running.setUncaughtExceptionHandler(cause -> {
            failure.compareAndSet(null, cause);
            failed.countDown();
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        Watch watch = new Watch(audit, scope, applicationId, failure, failed);
        try {
            running.start();
            watch.awaitEnd(untilIdle, progress);
            audit.settle();
            watch.awaitSettled();
            return audit.report();
        } finally {
            // else the group stays until its session times out, and cannot be deleted
            running.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                    .withTimeout(CLOSE_TIMEOUT));
        }
    }

    /** The eyes of one run on the threads of Kafka Streams. */
    private record Watch(
            AuditTopology audit,
            AuditScope scope,
            String applicationId,
            AtomicReference<@Nullable Throwable> failure,
            CountDownLatch failed) {

        void awaitEnd(Duration untilIdle, AuditProgress progress) throws InterruptedException {
            Reading reading = new Reading(scope.starts(), System.nanoTime());
            while (true) {
                look();
                reading.update(audit.ledger().positions(), scope.ends(), System.nanoTime());
                Duration idle = reading.idle(System.nanoTime());
                if (!reading.atEnd() && idle.compareTo(untilIdle) >= 0) {
                    reading.update(scope.committed(applicationId), scope.ends(), System.nanoTime());
                }
                progress.read(reading.read(), reading.total());
                if (reading.atEnd() && reading.idle(System.nanoTime()).compareTo(untilIdle) >= 0) {
                    return;
                }
                if (idle.compareTo(STALL_LIMIT.plus(untilIdle)) > 0) {
                    throw new AuditException("the audit has read nothing for " + idle.toSeconds()
                            + " s and is not at the end; offsets left: " + reading.behind());
                }
            }
        }

        void awaitSettled() throws InterruptedException {
            long deadlineNanos = System.nanoTime() + STALL_LIMIT.toNanos();
            while (audit.settledTasks() < scope.tasks()) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new AuditException("only " + audit.settledTasks() + " of " + scope.tasks()
                            + " partitions came to a verdict within " + STALL_LIMIT.toSeconds() + " s");
                }
                look();
            }
            look();
        }

        private void look() throws InterruptedException {
            if (failed.await(LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                Throwable cause = failure.get();
                throw new AuditException(
                        "the audit stopped short: " + (cause == null ? "" : cause.getMessage()), cause);
            }
            Integer moved = audit.ledger().moved();
            if (moved != null) {
                throw new AuditException("the audit lost partition " + moved
                        + " to a rebalance while it ran, and with it what it had seen; run it again");
            }
        }
    }

    private Properties streamsConfig(String applicationId, @Nullable Path folder) {
        Properties config = new Properties();
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        if (folder != null) {
            config.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        }
        config.putAll(streams);
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        if (settings.stores() == Stores.PERSISTENT) {
            config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        } else {
            // a second thread would take tasks from the first, and their memory would be lost
            config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        }
        return config;
    }

    private Map<String, Object> adminConfig() {
        Map<String, Object> config = new HashMap<>();
        streams.forEach((key, value) -> {
            if (AdminClientConfig.configNames().contains(key)) {
                config.put(key, value);
            }
        });
        String prefix = StreamsConfig.adminClientPrefix("");
        streams.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                config.put(key.substring(prefix.length()), value);
            }
        });
        return config;
    }

    private IsolationLevel isolation() {
        for (String key : List.of(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG),
                StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG))) {
            Object level = streams.get(key);
            if (level != null) {
                return IsolationLevel.valueOf(level.toString().toUpperCase(Locale.ROOT));
            }
        }
        return IsolationLevel.READ_COMMITTED;
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("lanekeeper-audit-");
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder for the state of the audit", e);
        }
    }

    /** What is left over is a nuisance, not a reason to withhold the report. */
    private static void forget(AuditScope scope, String applicationId, Path folder) throws InterruptedException {
        try {
            scope.forget(applicationId);
        } catch (AuditException e) {
            log.warn("could not delete what the audit {} left on the brokers: {}", applicationId, e.getMessage());
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            log.warn("could not delete {}: {}", folder, e.getMessage());
        }
    }
}
