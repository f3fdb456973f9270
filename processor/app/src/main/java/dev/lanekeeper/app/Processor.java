package dev.lanekeeper.app;

import dev.lanekeeper.app.config.ConfigurationException;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.handlers.HandlerFactory;
import dev.lanekeeper.app.handlers.JobDeserializer;
import dev.lanekeeper.app.handlers.JobHandler;
import dev.lanekeeper.app.handlers.LaneKey;
import dev.lanekeeper.app.handlers.OutcomeWriter;
import dev.lanekeeper.engine.EngineView;
import dev.lanekeeper.engine.LaneKeeper;
import dev.lanekeeper.engine.LaneKeeperBuilder;
import dev.lanekeeper.message.Job;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * One running instance: reads jobs as the configuration says, hands each to the handler, writes an outcome for each that
 * ended. Thread-safe. Several may live in one process, under different instance ids.
 */
public final class Processor implements AutoCloseable {
    private final String instanceId;
    private final @Nullable JobHandler owned;
    private final LaneKeeper<String, Job> keeper;
    private final AtomicBoolean handlerClosed = new AtomicBoolean();

    private Processor(LanekeeperConfig config, JobHandler handler, boolean owned) {
        this.instanceId = config.instanceId().orElseGet(InstanceId::generate);
        this.owned = owned ? handler : null;
        this.keeper = keeper(config, instanceId, handler);
    }

    /**
     * An instance with the handler that {@code lanekeeper.handler} names; not yet started.
     *
     * @throws ConfigurationException if the handler or a Kafka client refuses its settings
     */
    public static Processor create(LanekeeperConfig config) {
        JobHandler handler = HandlerFactory.create(config);
        try {
            return create(config, handler, true);
        } catch (RuntimeException e) {
            handler.close();
            throw e;
        }
    }

    /** As above with a handler of the caller's own, who closes it after this. */
    public static Processor create(LanekeeperConfig config, JobHandler handler) {
        return create(config, handler, false);
    }

    private static Processor create(LanekeeperConfig config, JobHandler handler, boolean owned) {
        try {
            return new Processor(config, handler, owned);
        } catch (KafkaException | IllegalArgumentException e) {
            Throwable cause = e instanceof KafkaException && e.getCause() != null ? e.getCause() : e;
            throw new ConfigurationException("Kafka's clients cannot be made: " + cause.getMessage(), e);
        }
    }

    /** Begins to work; returns at once. Once only. */
    public void start() {
        keeper.start();
    }

    /** What the instance is called in outcomes and logs. */
    public String instanceId() {
        return instanceId;
    }

    /** What the engine is doing. */
    public EngineView view() {
        return keeper.view();
    }

    /** Completed when the instance has ended: normally after {@link #close}, else with what it could not go on from. */
    public CompletableFuture<Void> terminated() {
        return keeper.terminated();
    }

    /** Lets running jobs finish for at most {@code lanekeeper.drain.timeout.ms}, commits, and returns. Idempotent. */
    @Override
    public void close() {
        keeper.close();
        closeHandler();
    }

    /** As {@link #close()} with another timeout. */
    public void close(Duration timeout) {
        keeper.close(timeout);
        closeHandler();
    }

    private void closeHandler() {
        if (owned != null && handlerClosed.compareAndSet(false, true)) {
            owned.close();
        }
    }

    private static LaneKeeper<String, Job> keeper(LanekeeperConfig config, String instanceId, JobHandler handler) {
        LaneKey laneKey = LaneKey.of(config);
        LaneKeeperBuilder<String, Job> builder = LaneKeeper.<String, Job>builder()
                .name(instanceId)
                .consumerSettings(config.consumerSettings())
                .producerSettings(config.producerSettings())
                .topics(config.topics())
                .deserializers(new StringDeserializer(), new JobDeserializer())
                .laneKey(laneKey::bytes)
                .results(new OutcomeWriter(config.outcomesTopic(), instanceId, laneKey))
                .deadLetters(config.deadLettersTopic())
                .retry(config.retry())
                .failures(config.failures())
                .concurrency(config.concurrency())
                .rateLimit(config.rateLimit())
                .laneRateLimit(config.laneRateLimit())
                .incarnation(config.incarnation())
                .logContext()
                .bufferRecords(config.bufferRecords())
                .bufferBytes(config.bufferBytes())
                .commitInterval(config.commitInterval())
                .drainTimeout(config.drainTimeout());
        config.handlerTimeout().ifPresent(builder::handlerTimeout);
        if (config.exactlyOnce()) {
            builder.exactlyOnce(config.groupId() + "-" + instanceId);
        }
        if (config.parks()) {
            builder.parkedRecords(config.parkedRecordsTopic());
        }
        JobHandler checked = HandlerFactory.checked(handler, laneKey);
        return checked instanceof JobHandler.Blocking blocking
                ? builder.handler(blocking.handler()).build()
                : builder.asyncHandler(((JobHandler.Async) checked).handler()).build();
    }
}
