package dev.lanekeeper.testkit.broker;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import kafka.server.KafkaConfig;
import org.apache.kafka.metadata.storage.Formatter;

/** The configuration of a broker that is alone, small, and quick to notice who joins and who leaves. Stateless. */
final class SingleNode {
    static final String CLIENT_LISTENER = "PLAINTEXT";
    static final String LOOPBACK = "127.0.0.1";

    private static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final int NODE_ID = 1;

    private SingleNode() {}

    static KafkaConfig config(Path data, int clientPort, int controllerPort, Map<String, String> overrides) {
        Properties all = new Properties();
        all.putAll(node(data, clientPort, controllerPort));
        all.putAll(small());
        all.putAll(quickGroups());
        all.putAll(overrides);
        return KafkaConfig.fromProps(all, false);
    }

    private static Map<String, String> node(Path data, int clientPort, int controllerPort) {
        String listeners = CLIENT_LISTENER + "://" + LOOPBACK + ":" + clientPort + "," + CONTROLLER_LISTENER + "://"
                + LOOPBACK + ":" + controllerPort;
        return Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                Integer.toString(NODE_ID),
                "listeners",
                listeners,
                "advertised.listeners",
                listeners,
                "controller.listener.names",
                CONTROLLER_LISTENER,
                "inter.broker.listener.name",
                CLIENT_LISTENER,
                "listener.security.protocol.map",
                "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                "controller.quorum.voters",
                NODE_ID + "@" + LOOPBACK + ":" + controllerPort,
                "log.dirs",
                data.toString());
    }

    /** One replica of everything, few internal partitions, little memory, no topic by accident. */
    static Map<String, String> small() {
        Map<String, String> settings = new TreeMap<>();
        settings.put("default.replication.factor", "1");
        settings.put("min.insync.replicas", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("share.coordinator.state.topic.num.partitions", "4");
        settings.put("auto.create.topics.enable", "false");
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        settings.put("log.segment.bytes", Integer.toString(64 * 1024 * 1024));
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(2 * 1024 * 1024));
        // without it the broker counts as alive until its session ends, and reopening its folder waits for that
        settings.put("controlled.shutdown.enable", "true");
        return settings;
    }

    /** Groups settle in tenths of a second instead of ten, and a member that was killed is noticed in ten. */
    static Map<String, String> quickGroups() {
        Map<String, String> settings = new TreeMap<>();
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("group.min.session.timeout.ms", "1000");
        for (String protocol : new String[] {"group.consumer.", "group.streams."}) {
            settings.put(protocol + "heartbeat.interval.ms", "200");
            settings.put(protocol + "min.heartbeat.interval.ms", "20"); // for groups that ask for it
            settings.put(protocol + "session.timeout.ms", "10000");
            settings.put(protocol + "min.session.timeout.ms", "1000");
            settings.put(protocol + "assignment.interval.ms", "0");
            settings.put(protocol + "min.assignment.interval.ms", "0");
        }
        settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
        return settings;
    }

    /** Writes the cluster's id where there is none yet; a folder that has one keeps it, and its data. */
    static void format(KafkaConfig config, String clusterId) throws Exception {
        if (Files.exists(Path.of(config.metadataLogDir(), "meta.properties"))) {
            return;
        }
        try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(nowhere)
                    .setNodeId(config.nodeId())
                    .setClusterId(clusterId)
                    .setControllerListenerName(CONTROLLER_LISTENER)
                    .setMetadataLogDirectory(config.metadataLogDir())
                    .setDirectories(config.logDirs())
                    .setIgnoreFormatted(true)
                    .setHasDynamicQuorum(false)
                    .run();
        }
    }
}
