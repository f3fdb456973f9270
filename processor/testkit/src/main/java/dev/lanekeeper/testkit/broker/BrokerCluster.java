package dev.lanekeeper.testkit.broker;

import dev.lanekeeper.testkit.network.FaultProxy;
import dev.lanekeeper.testkit.process.ChildJvm;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * A real cluster (KRaft) of several brokers on loopback, each a process of its own that can be killed, and each behind a
 * {@link FaultProxy}. Whoever connects to {@link #bootstrapServers} suffers no proxy's faults; whoever connects to {@link
 * #proxiedServers} does. Confined to the test's thread.
 */
public final class BrokerCluster implements AutoCloseable {
    private static final Duration BOOT_TIMEOUT = Duration.ofSeconds(90);

    private final ChildJvms jvms;
    private final Path folder;
    private final List<Node> nodes = new ArrayList<>();

    private BrokerCluster(ChildJvms jvms, Path folder) {
        this.jvms = jvms;
        this.folder = folder;
    }

    /**
     * Starts {@code size} brokers, and waits until all of them serve: some ten seconds.
     *
     * @param folder for their data, which this leaves there
     */
    public static BrokerCluster start(ChildJvms jvms, int size, Path folder) {
        BrokerCluster cluster = new BrokerCluster(jvms, folder);
        for (int id = 1; id <= size; id++) {
            int behindProxy = freePort();
            FaultProxy proxy = FaultProxy.before(behindProxy);
            cluster.nodes.add(
                    new Node(new ClusterNode.Ports(id, freePort(), behindProxy, proxy.port(), freePort()), proxy));
        }
        cluster.writeSettings();
        for (int id = 1; id <= size; id++) {
            cluster.launch(id);
        }
        for (int id = 1; id <= size; id++) {
            cluster.awaitServing(id);
        }
        return cluster;
    }

    /** A node's port must stay the same over its restarts, so it can't bind any free one by itself. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeSettings() {
        String voters = nodes.stream().map(node -> node.ports.voter()).collect(Collectors.joining(","));
        String clusterId = Uuid.randomUuid().toString();
        for (Node node : nodes) {
            int id = node.ports.id();
            try {
                ClusterNode.writeSettings(
                        settingsFile(id), clusterId, node.ports, voters, nodes.size(), folder.resolve("node-" + id));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Path settingsFile(int id) {
        return folder.resolve("node-" + id + ".properties");
    }

    private void launch(int id) {
        node(id).process = jvms.start(ClusterNode.class, settingsFile(id).toString());
    }

    private void awaitServing(int id) {
        node(id).running().awaitLine(ClusterNode.SERVING, BOOT_TIMEOUT);
    }

    private Node node(int id) {
        return nodes.get(id - 1);
    }

    /** How many brokers there are, running or not; they are numbered from 1. */
    public int size() {
        return nodes.size();
    }

    /** What clients set as {@code bootstrap.servers} to be spared the proxies. */
    public String bootstrapServers() {
        return servers(false);
    }

    /** The same, through the proxies. */
    public String proxiedServers() {
        return servers(true);
    }

    private String servers(boolean proxied) {
        return nodes.stream()
                .map(node -> SingleNode.LOOPBACK + ":" + (proxied ? node.ports.proxy() : node.ports.direct()))
                .collect(Collectors.joining(","));
    }

    /** The proxy of a broker. */
    public FaultProxy proxy(int id) {
        return node(id).proxy;
    }

    /** Ends a broker as a power failure would. */
    public void kill9(int id) {
        node(id).running().kill9();
    }

    /** Ends a broker in an orderly way, and waits for that. */
    public void stop(int id) {
        ChildJvm process = node(id).running();
        process.terminate();
        process.exitCode(BOOT_TIMEOUT);
    }

    /** Starts a broker again, with the data it had, and waits until it serves. */
    public void restart(int id) {
        launch(id);
        awaitServing(id);
    }

    /** Kills what runs. */
    @Override
    public void close() {
        for (Node node : nodes) {
            node.proxy.close();
            if (node.process != null) {
                node.process.close();
            }
        }
    }

    private static final class Node {
        private final ClusterNode.Ports ports;
        private final FaultProxy proxy;
        private @Nullable ChildJvm process;

        Node(ClusterNode.Ports ports, FaultProxy proxy) {
            this.ports = ports;
            this.proxy = proxy;
        }

        ChildJvm running() {
            if (process == null) {
                throw new IllegalStateException("broker " + ports.id() + " was never started");
            }
            return process;
        }
    }
}
