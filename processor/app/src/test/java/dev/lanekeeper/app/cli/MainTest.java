package dev.lanekeeper.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private final Commands commands = new Commands();
    private String config = "";

    /** A port on which nobody listens: nothing here may need a broker. */
    @BeforeEach
    void writeConfig(@TempDir Path folder) throws IOException {
        config = Files.writeString(folder.resolve("p.properties"), "kafka.bootstrap.servers=localhost:1\n")
                .toString();
    }

    static Stream<List<String>> commandPaths() {
        List<List<String>> paths = new ArrayList<>();
        collect(Main.commandLine(), List.of(), paths);
        assertThat(paths)
                .contains(List.of(), List.of("run"), List.of("topics", "create"), List.of("audit"), List.of("config"));
        return paths.stream();
    }

    private static void collect(CommandLine line, List<String> path, List<List<String>> paths) {
        paths.add(path);
        line.getSubcommands().forEach((name, command) -> {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            collect(command, longer, paths);
        });
    }

    @ParameterizedTest
    @MethodSource("commandPaths")
    void everyLevelHasHelp(List<String> path) {
        List<String> arguments = new ArrayList<>(path);
        arguments.add("--help");

        assertThat(commands.run(arguments.toArray(String[]::new))).isZero();
        assertThat(commands.out()).startsWith("Usage: lanekeeper " + String.join(" ", path));
        assertThat(commands.err()).isEmpty();
    }

    @Test
    void versionIsPrinted() {
        assertThat(commands.run("--version")).isZero();
        assertThat(commands.out()).startsWith("lanekeeper ").contains("Java");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "topics"})
    void commandThatOnlyHoldsOthersPrintsItsUsage(String path) {
        String[] arguments = Stream.of(path).filter(name -> !name.isEmpty()).toArray(String[]::new);

        assertThat(commands.run(arguments)).isEqualTo(ExitCode.USAGE);
        assertThat(commands.err()).startsWith("Usage: ");
    }

    @Test
    void configListsEveryKey() {
        assertThat(commands.run("config")).isZero();
        assertThat(commands.out()).contains("lanekeeper.concurrency", "default 100");
    }

    @Test
    void configPrintsThePage() {
        assertThat(commands.run("config", "--markdown")).isZero();
        assertThat(commands.out()).startsWith("# Configuration\n");
    }

    @Test
    void unknownCommandIsAnsweredWithTheNearest() {
        assertUsageError(List.of("confg"), "confg", "did you mean config?", "lanekeeper --help");
    }

    @Test
    void unknownOptionIsNamed() {
        assertUsageError(List.of("run", "--confg", config), "--confg");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "audit", "topics create"})
    void configIsRequired(String command) {
        assertUsageError(words(command), "--config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "audit", "topics create"})
    void missingFileIsNamed(String command) {
        List<String> arguments = new ArrayList<>(words(command));
        arguments.addAll(List.of("--config", "/no/such/file"));

        assertUsageError(arguments, "/no/such/file");
    }

    @Test
    void configurationErrorIsOneLine() {
        assertUsageError(
                List.of("run", "--config", config, "--set", "lanekeeper.concurrency=x"),
                "lanekeeper.concurrency",
                "\"x\"",
                "at least 1",
                "--set");
    }

    @Test
    void setNeedsAValue() {
        assertUsageError(List.of("run", "--config", config, "--set", "lanekeeper.concurrency"), "KEY=VALUE");
    }

    @Test
    void httpHandlerWithoutUrlIsAConfigurationError() {
        assertUsageError(List.of("run", "--config", config), "handler.http.url", "http or https URL");
    }

    @Test
    void handlerThatIsNotThereIsAConfigurationError() {
        assertUsageError(
                List.of("run", "--config", config, "--set", "lanekeeper.handler=no.such.Handler"),
                "lanekeeper.handler",
                "no.such.Handler",
                "class path");
    }

    @Test
    void durationThatIsNoneIsNamed() {
        assertUsageError(List.of("audit", "--config", config, "--until-idle", "5x"), "--until-idle", "5x", "500ms");
        assertUsageError(List.of("audit", "--config", config, "--until-idle", "0s"), "--until-idle");
    }

    @Test
    void slipIsPointedOut() {
        commands.run("run", "--config", config, "--set", "consumer.max.pol.records=5");

        assertThat(commands.err()).startsWith("warning: consumer.max.pol.records");
    }

    @Test
    void brokerThatDoesNotAnswerIsOneLineAndAFailure() {
        int code = commands.run(
                "topics",
                "create",
                "--config",
                config,
                "--set",
                "admin.default.api.timeout.ms=500",
                "--set",
                "admin.request.timeout.ms=400");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(commands.err().lines())
                .singleElement()
                .asString()
                .contains("no Kafka broker answers at localhost:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --verbose", "--verbose run"})
    void traceIsPrintedOnRequest(String command) {
        List<String> arguments = new ArrayList<>(words(command));
        arguments.addAll(List.of("--config", "/no/such/file"));

        assertThat(commands.run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
        assertThat(commands.err()).contains("ConfigurationException", "\tat ");
    }

    private static List<String> words(String command) {
        return Stream.of(command.split(" ", -1)).toList();
    }

    private static void assertUsageError(List<String> arguments, String... parts) {
        Commands fresh = new Commands();
        assertThat(fresh.run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
        assertThat(fresh.err().lines())
                .singleElement()
                .asString()
                .startsWith("lanekeeper: ")
                .contains(parts);
        assertThat(fresh.out()).isEmpty();
    }
}
