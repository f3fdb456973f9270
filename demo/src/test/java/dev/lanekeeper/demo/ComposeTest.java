package dev.lanekeeper.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.lanekeeper.app.cli.Main;
import dev.lanekeeper.app.config.ConfigurationException;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.handlers.HandlerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** That docker-compose.yml says what this version understands, without a Docker to try it on. */
class ComposeTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> CONDITIONS =
            Set.of("service_started", "service_healthy", "service_completed_successfully");

    static Stream<String> ourServices() throws IOException {
        return services().properties().stream()
                .filter(service -> service.getValue().path("image").asText().equals("lanekeeper"))
                .map(Map.Entry::getKey);
    }

    private static JsonNode services() throws IOException {
        return YAMLMapper.builder()
                .build()
                .readTree(REPOSITORY.resolve("docker-compose.yml").toFile())
                .required("services");
    }

    @Test
    void everythingIsThere() throws IOException {
        assertThat(services().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("kafka", "topics", "processor", "producer-sim");
        assertThat(services().at("/processor/deploy/replicas").asInt()).isEqualTo(2);
    }

    @Test
    void theBrokerIsTheVersionThatIsTested() throws IOException {
        String pom = Files.readString(REPOSITORY.resolve("pom.xml"));
        assertThat(pom)
                .contains("<kafka.version>"
                        + services().at("/kafka/image").asText().replace("apache/kafka:", "") + "</");
        assertThat(services().at("/kafka/healthcheck/test/0").asText()).isEqualTo("CMD");
    }

    @ParameterizedTest
    @MethodSource("ourServices")
    void aServicesCommandIsUnderstood(String service) throws IOException {
        Main.commandLine().parseArgs(command(service));
    }

    @Test
    void aCommandThatIsNotWouldBeFound() throws IOException {
        List<String> command = new ArrayList<>(List.of(command("producer-sim")));
        command.add("--speed");
        CommandLine line = Main.commandLine();
        assertThatThrownBy(() -> line.parseArgs(command.toArray(String[]::new)))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--speed");
    }

    @ParameterizedTest
    @MethodSource("ourServices")
    void aServicesConfigurationLoads(String service) throws IOException {
        LanekeeperConfig config = load(service, environment(service));
        assertThat(config.bootstrapServers()).isEqualTo("kafka:9092");
        assertThat(config.warnings()).isEmpty();
        if (command(service)[0].equals("run")) {
            assertThat(HandlerFactory.create(config).handler()).isInstanceOf(DemoHandler.class);
        }
    }

    @Test
    void aConfigurationThatDoesNotWouldBeFound() throws IOException {
        Map<String, String> environment = environment("processor");
        environment.put("LANEKEEPER_CONCURRENCY", "none");
        assertThatThrownBy(() -> load("processor", environment)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void whatAServiceWaitsForIsThere() throws IOException {
        JsonNode services = services();
        services.forEach(service -> service.path("depends_on").properties().forEach(needed -> {
            assertThat(services.has(needed.getKey())).as(needed.getKey()).isTrue();
            assertThat(needed.getValue().required("condition").asText()).isIn(CONDITIONS);
        }));
    }

    @Test
    void theImageStartsWhatIsTested() throws IOException {
        String dockerfile = Files.readString(REPOSITORY.resolve("Dockerfile"));
        assertThat(dockerfile)
                .contains("ENTRYPOINT [\"/opt/lanekeeper/lanekeeper\"]")
                .contains("cp -r lanekeeper config")
                .containsPattern("USER [1-9]");
        assertThat(Files.isExecutable(REPOSITORY.resolve("lanekeeper"))).isTrue();
    }

    private static String[] command(String service) throws IOException {
        List<String> words = new ArrayList<>();
        services().required(service).required("command").forEach(word -> words.add(word.asText()));
        return words.toArray(String[]::new);
    }

    private static Map<String, String> environment(String service) throws IOException {
        Map<String, String> environment = new HashMap<>();
        services()
                .required(service)
                .path("environment")
                .properties()
                .forEach(variable ->
                        environment.put(variable.getKey(), variable.getValue().asText()));
        return environment;
    }

    private static LanekeeperConfig load(String service, Map<String, String> environment) throws IOException {
        List<String> command = List.of(command(service));
        Path file = REPOSITORY.resolve(command.get(command.indexOf("--config") + 1));
        return LanekeeperConfig.load(file, environment, Map.of());
    }
}
