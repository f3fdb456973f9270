package dev.lanekeeper.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class AuditIT {
    private static final String OUTCOME = """
            {"type":"outcome","jobId":"%s","customerId":"c-1","status":"done","attempt":1,"instance":"i-1","epoch":1,\
            "topic":"%s","partition":0,"offset":%d,"startedAt":"2026-01-02T03:04:%02d.100Z",\
            "endedAt":"2026-01-02T03:04:%02d.200Z","bulk":false}""";

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final Commands commands = new Commands();
    private Scene scene = new Scene(KAFKA, Path.of(""));

    @BeforeEach
    void setScene(@TempDir Path folder) throws IOException {
        scene = new Scene(KAFKA, folder);
        scene.createTopics(1);
        for (int i = 0; i < 3; i++) {
            KAFKA.produce(List.of(scene.record("jobs", "c-1", Scene.job("j-" + i, "c-1"))));
        }
    }

    @Test
    void cleanTopicsAreDeclaredClean() throws IOException {
        writeOutcomes(0, 1, 2);

        assertThat(audit()).isEqualTo(ExitCode.DONE);
        assertThat(commands.out()).contains("3 of 1 customers", "CLEAN");
        assertThat(commands.err()).isEmpty();
    }

    @Test
    void lostJobIsAViolation() throws IOException {
        writeOutcomes(0, 2);

        assertThat(audit("--json")).isEqualTo(ExitCode.VIOLATION);
        JsonNode verdict = new JsonMapper().readTree(commands.out());
        assertThat(verdict.path("clean").booleanValue()).isFalse();
        assertThat(verdict.path("counts").path("loss").intValue()).isEqualTo(1);
        assertThat(verdict.path("findings").path(0).path("offset").intValue()).isEqualTo(1);
    }

    @Test
    void wrongOrderIsAViolation() throws IOException {
        writeOutcomes(1, 0, 2);

        assertThat(audit()).isEqualTo(ExitCode.VIOLATION);
        assertThat(commands.out()).contains("REORDER: 1", "VIOLATION");
    }

    @Test
    void topicThatIsNotThereIsOneLine() throws IOException {
        String config = scene.config("lanekeeper.topics", scene.topic("none"));

        assertThat(commands.run("audit", "--config", config)).isEqualTo(ExitCode.FAILED);
        assertThat(commands.err().lines()).singleElement().asString().contains(scene.topic("none"), "topics create");
    }

    private int audit(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("audit", "--config", scene.config(), "--from", "earliest", "--until-idle", "500ms"));
        arguments.addAll(List.of(more));
        return commands.run(arguments.toArray(String[]::new));
    }

    private void writeOutcomes(int... offsets) {
        int second = 0;
        for (int offset : offsets) {
            second++;
            String json = OUTCOME.formatted("j-" + offset, scene.topic("jobs"), offset, second, second);
            KAFKA.produce(List.of(scene.record("outcomes", "c-1", json)));
        }
    }
}
