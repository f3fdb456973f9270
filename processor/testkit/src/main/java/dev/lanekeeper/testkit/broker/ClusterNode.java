package dev.lanekeeper.testkit.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * One node of a {@link BrokerCluster}, as the main class of a process of its own: formats its folder if that is new, serves,
 * and goes on until it is told to end. It prints {@value #SERVING} when it serves.
 */
public final class ClusterNode {
    static final String SERVING = "this node serves";

    /** The cluster's id travels with the node's settings, under a name that is no setting of Kafka's. */
    private static final String CLUSTER_ID = "lanekeeper.cluster.id";

    private ClusterNode() {}

    /** The one argument is the file that {@link #writeSettings} wrote. */
    public static void main(String[] arguments) throws Exception {
        Properties settings = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(arguments[0]))) {
            settings.load(file);
        }
        String clusterId = settings.getProperty(CLUSTER_ID);
        KafkaConfig config = KafkaConfig.fromProps(settings, false);
        SingleNode.format(config, clusterId);
        KafkaRaftServer server = new KafkaRaftServer(config, Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "shutdown"));
        server.startup();
        System.out.println(SERVING);
        server.awaitShutdown();
    }

    /**
     * Where a node listens: for its peers and for clients who want no faults, for clients behind a proxy, for the quorum.
     *
     * @param id the node's number, from 1
     * @param direct the port without a proxy
     * @param behindProxy the port that only a proxy connects to
     * @param proxy the port of that proxy, which clients are told
     * @param quorum the controllers' port
     */
    record Ports(int id, int direct, int behindProxy, int proxy, int quorum) {
        String voter() {
            return id + "@" + SingleNode.LOOPBACK + ":" + quorum;
        }
    }

    /** The file for {@link #main}. */
    static void writeSettings(Path file, String clusterId, Ports ports, String voters, int nodes, Path data)
            throws IOException {
        Properties all = new Properties();
        all.putAll(SingleNode.small());
        all.putAll(SingleNode.quickGroups());
        all.putAll(replicated(nodes));
        all.putAll(quickFailover());
        all.putAll(listeners(ports));
        all.put("process.roles", "broker,controller");
        all.put("node.id", Integer.toString(ports.id()));
        all.put("controller.quorum.voters", voters);
        all.put("log.dirs", data.toString());
        all.put(CLUSTER_ID, clusterId);
        try (var writer = Files.newBufferedWriter(file)) {
            all.store(writer, null);
        }
    }

    private static Map<String, String> listeners(Ports ports) {
        String direct = "PLAINTEXT://" + SingleNode.LOOPBACK + ":" + ports.direct();
        String quorum = "CONTROLLER://" + SingleNode.LOOPBACK + ":" + ports.quorum();
        return Map.of(
                "listeners",
                direct + ",PROXIED://" + SingleNode.LOOPBACK + ":" + ports.behindProxy() + "," + quorum,
                "advertised.listeners",
                direct + ",PROXIED://" + SingleNode.LOOPBACK + ":" + ports.proxy(),
                "inter.broker.listener.name",
                SingleNode.CLIENT_LISTENER,
                "controller.listener.names",
                "CONTROLLER",
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT");
    }

    /** Three copies of everything and two of them in time, as far as there are nodes. */
    private static Map<String, String> replicated(int nodes) {
        String copies = Integer.toString(Math.min(3, nodes));
        String inTime = Integer.toString(Math.min(2, nodes));
        Map<String, String> settings = new TreeMap<>();
        settings.put("default.replication.factor", copies);
        settings.put("min.insync.replicas", inTime);
        settings.put("offsets.topic.replication.factor", copies);
        settings.put("transaction.state.log.replication.factor", copies);
        settings.put("transaction.state.log.min.isr", inTime);
        settings.put("share.coordinator.state.topic.replication.factor", copies);
        settings.put("share.coordinator.state.topic.min.isr", inTime);
        return settings;
    }

    /** A node that was killed is missed in two seconds instead of ten. */
    private static Map<String, String> quickFailover() {
        return Map.of(
                "broker.session.timeout.ms", "2000",
                "broker.heartbeat.interval.ms", "300",
                "replica.lag.time.max.ms", "3000",
                "controller.quorum.election.timeout.ms", "500",
                "controller.quorum.fetch.timeout.ms", "1000",
                "controller.quorum.election.backoff.max.ms", "200");
    }
}
