package dev.lanekeeper.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.app.cli.Main;
import dev.lanekeeper.testkit.process.ChildJvm;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands of this module as processes: how signals end them, and what they leave behind. */
class CommandProcessIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @RegisterExtension
    final ChildJvms jvms = new ChildJvms();

    @TempDir
    Path folder;

    @Test
    void aBrokerServesUntilItIsStopped() throws Exception {
        ChildJvm broker = start("broker", "--port", "0");
        broker.awaitLine("Kafka is up at 127\\.0\\.0\\.1:\\d+, data in .* \\(deleted at the end\\)", PATIENCE);
        assertThat(leftovers()).as("while it runs").isNotEmpty();
        broker.terminate();
        assertThat(broker.exitCode(PATIENCE)).isZero();
        assertThat(broker.outputTail().lines()).as("one line in all").hasSize(1);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aFolderThatWasGivenIsKept() {
        Path data = folder.resolve("data");
        for (int i = 0; i < 2; i++) {
            ChildJvm broker = start("broker", "--port", "0", "--data", data.toString());
            broker.awaitLine("Kafka is up at .*, data in " + data + ";", PATIENCE);
            broker.terminate();
            assertThat(broker.exitCode(PATIENCE)).isZero();
            assertThat(data).isNotEmptyDirectory();
        }
    }

    @Test
    void aPortThatIsTakenIsSaidInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ChildJvm broker = start("broker", "--port", Integer.toString(taken.getLocalPort()));
            assertThat(broker.exitCode(PATIENCE)).isEqualTo(1);
            assertThat(broker.outputTail().lines().toList())
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("lanekeeper: ")
                    .contains(Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void aDemoThatIsKeptEndsWithItsVerdict() throws Exception {
        ChildJvm demo = start("demo", "--jobs", "500", "--customers", "20", "--keep");
        demo.awaitLine("Kafka stays up at 127\\.0\\.0\\.1:\\d+ until Ctrl-C", PATIENCE);
        demo.terminate();
        assertThat(demo.exitCode(PATIENCE)).isZero();
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aDemoThatIsStoppedHalfWaySaysSoAndCleansUp() throws Exception {
        ChildJvm demo = start("demo", "--jobs", "5000000", "--customers", "20");
        demo.awaitLine("jobs done: [1-9].* of 5,000,000", PATIENCE);
        demo.terminate();
        assertThat(demo.exitCode(PATIENCE)).isEqualTo(1);
        assertThat(demo.outputTail()).contains("lanekeeper: the demo was stopped before its end");
        assertThat(leftovers()).isEmpty();
    }

    private ChildJvm start(String... arguments) {
        return jvms.start(List.of("-Djava.io.tmpdir=" + folder), Main.class, arguments);
    }

    private List<Path> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("lanekeeper-"))
                    .toList();
        }
    }
}
