package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.testkit.broker.BrokerSettings;
import dev.lanekeeper.testkit.broker.EmbeddedKafka;
import java.nio.file.Path;

/** The JVM of the broker: prints its address, and stops when its input ends, which it does when its parent does. */
public final class BrokerMain {
    static final String UP = "BROKER ";

    private BrokerMain() {}

    /** One argument: a folder for the data that does not exist yet. */
    public static void main(String[] args) throws Exception {
        BrokerSettings settings = BrokerSettings.DEFAULTS
                .keptIn(Path.of(args[0]))
                .with("num.network.threads", "2")
                .with("num.io.threads", "2");
        try (EmbeddedKafka kafka = EmbeddedKafka.start(settings)) {
            System.out.println(UP + kafka.bootstrapServers());
            System.out.flush();
            while (System.in.read() >= 0) {
                // nobody says anything
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
