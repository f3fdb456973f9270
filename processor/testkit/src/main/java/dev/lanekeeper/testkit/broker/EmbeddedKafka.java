package dev.lanekeeper.testkit.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * A real single-node Kafka (KRaft) inside this JVM, on loopback only. Thread-safe.
 *
 * <ul>
 *   <li>When {@link #start} returns, clients can connect; when it throws, nothing is left running.
 *   <li>A folder that was given is kept, and can be opened again; a temporary one is deleted.
 *   <li>A broker that fails never ends the JVM: see {@link #failure}.
 * </ul>
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);
    private static final Duration HAND_OVER = Duration.ofSeconds(5);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(30);

    private final ControllerServer controller;
    private final BrokerServer broker;
    private final HaltGuard guard;
    private final int port;
    private final DataFolder folder;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedKafka(SharedServer node, BootstrapMetadata metadata, HaltGuard guard, int port, DataFolder folder) {
        this.controller = new ControllerServer(node, KafkaRaftServer.configSchema(), metadata);
        this.broker = new BrokerServer(node);
        this.guard = guard;
        this.port = port;
        this.folder = folder;
    }

    /** Starts a broker on a free port with a temporary folder. */
    public static EmbeddedKafka start() throws IOException {
        return start(BrokerSettings.DEFAULTS);
    }

    /**
     * Starts a broker and waits until it serves; takes 0.3 to 4 s.
     *
     * @throws java.net.BindException if the port is taken or may not be used; the message names it
     * @throws IOException if the folder cannot be written
     * @throws IllegalStateException if another broker has the folder open, or Kafka refuses to start
     */
    public static EmbeddedKafka start(BrokerSettings settings) throws IOException {
        try (LoopbackSockets sockets = new LoopbackSockets()) {
            int clientPort = sockets.bind(settings.port());
            int controllerPort = sockets.bind(0);
            DataFolder folder = DataFolder.open(settings.directory());
            try {
                KafkaConfig config = SingleNode.config(folder.data(), clientPort, controllerPort, settings.overrides());
                SingleNode.format(config, Uuid.randomUuid().toString());
                EmbeddedKafka kafka = assemble(config, sockets, clientPort, folder);
                kafka.startServers();
                return kafka;
            } catch (Exception e) {
                folder.close();
                throw new IllegalStateException(
                        "the embedded broker did not start (port " + clientPort + ", folder " + folder.path() + "): "
                                + innermost(e),
                        e);
            }
        }
    }

    private static EmbeddedKafka assemble(KafkaConfig config, LoopbackSockets sockets, int port, DataFolder folder) {
        HaltGuard guard = new HaltGuard();
        guard.install();
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> stored =
                KafkaRaftServer.initializeLogDirs(config, LOG, "[embedded] ");
        String clusterId = stored._1().clusterId().orElseThrow();
        Metrics metrics = Server.initializeMetrics(config, Time.SYSTEM, clusterId);
        SharedServer node = new SharedServer(
                config,
                stored._1(),
                Time.SYSTEM,
                metrics,
                CompletableFuture.completedFuture(
                        QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
                List.of(),
                guard,
                sockets);
        return new EmbeddedKafka(node, stored._2(), guard, port, folder);
    }

    private void startServers() {
        try {
            controller.startup();
            broker.startup();
            guard.check(); // startup also returns when one of the broker's own threads has given up
        } catch (RuntimeException | Error e) {
            stopServers(); // a half-started node keeps threads that would keep the JVM alive
            throw e;
        }
    }

    private static String innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    /** What clients set as {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return SingleNode.LOOPBACK + ":" + port;
    }

    /** The port clients connect to. */
    public int port() {
        return port;
    }

    /** Where the data is. */
    public Path directory() {
        return folder.path();
    }

    /** Completes if the broker gives up on its own, with the reason; the broker then still has to be closed. */
    public CompletableFuture<Throwable> failure() {
        return guard.failure();
    }

    /** Stops the broker and, after at most 30 s, returns; deletes a temporary folder. Closing again does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            stopServers();
            folder.close();
        }
    }

    /** On a thread of its own, because Kafka's wait for a stopping server has no end of its own. */
    private void stopServers() {
        Thread stopping = new Thread(this::stopInOrder, "embedded-kafka-close");
        stopping.setDaemon(true);
        stopping.start();
        try {
            stopping.join(LONGEST_CLOSE.toMillis());
            if (stopping.isAlive()) {
                LOG.warn("The embedded broker at {} is still stopping after {}", bootstrapServers(), LONGEST_CLOSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The controller last: a broker without one waits for it before it lets go. */
    private void stopInOrder() {
        Collection<Runnable> steps = List.of(
                () -> broker.shutdown(HAND_OVER),
                controller::shutdown,
                broker::awaitShutdown,
                controller::awaitShutdown);
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                LOG.warn("The embedded broker at {} did not stop cleanly", bootstrapServers(), e);
            }
        }
    }
}
