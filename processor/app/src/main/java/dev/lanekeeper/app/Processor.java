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
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running instance: reads jobs as the configuration says, hands each to the handler, writes an outcome for each that
 * ended. Thread-safe. Several may live in one process, under different instance ids.
 */
public final class Processor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Processor.class);

    private final String instanceId;
    private final JobHandler handler;
    private final LaneKeeper<String, Job> keeper;

    private Processor(LanekeeperConfig config, JobHandler handler) {
        this.instanceId = config.instanceId().orElseGet(InstanceId::generate);
        this.handler = handler;
        this.keeper = keeper(config, instanceId, handler);
    }

    /**
     * An instance with the handler that {@code lanekeeper.handler} names; not yet started.
     *
     * @throws ConfigurationException if the handler or a Kafka client refuses its settings
     */
    public static Processor create(LanekeeperConfig config) {
        return create(config, HandlerFactory.create(config));
    }

    /** As above with a handler of the caller's own, which is closed with this if it is {@link AutoCloseable}. */
    public static Processor create(LanekeeperConfig config, JobHandler handler) {
        try {
            return new Processor(config, handler);
        } catch (KafkaException | IllegalArgumentException e) {
            close(handler);
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
        close(handler);
    }

    /** As {@link #close()} with another timeout. */
    public void close(Duration timeout) {
        keeper.close(timeout);
        close(handler);
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
                .concurrency(config.concurrency())
                .bufferRecords(config.bufferRecords())
                .bufferBytes(config.bufferBytes())
                .commitInterval(config.commitInterval())
                .drainTimeout(config.drainTimeout());
        JobHandler checked = HandlerFactory.checked(handler, laneKey);
        return checked instanceof JobHandler.Blocking blocking
                ? builder.handler(blocking.handler()).build()
                : builder.asyncHandler(((JobHandler.Async) checked).handler()).build();
    }

    private static void close(JobHandler handler) {
        if (handler.handler() instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) { // its work is done; what it holds ends with the process
                log.warn("The handler could not be closed", e);
            }
        }
    }
}
