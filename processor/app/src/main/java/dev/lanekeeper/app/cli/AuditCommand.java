package dev.lanekeeper.app.cli;

import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.streams.Audit;
import dev.lanekeeper.streams.AuditException;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.AuditSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reads jobs and outcomes back and says whether the promises were kept. */
@Command(
        name = "audit",
        description = "Read jobs and outcomes and check that nothing is lost, out of order, doubled, or ran beside"
                + " another job of its customer. Exit code 3 if something is.")
final class AuditCommand implements Subcommand {
    /** Where to begin to read. */
    enum From {
        EARLIEST
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            defaultValue = "earliest",
            description = "Where to begin: earliest. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("UnusedVariable") // the only value there is; the option keeps the way open for others
    private From from = From.EARLIEST;

    @Option(
            names = "--until-idle",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description =
                    "End when everything is read and nothing new has come for so long. Default: ${DEFAULT-VALUE}.")
    private Duration untilIdle = Duration.ofSeconds(5);

    @Option(names = "--json", description = "Print one JSON object for each topic of jobs, a line each.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        if (untilIdle.isNegative() || untilIdle.isZero()) {
            throw new ParameterException(
                    spec.commandLine(), "Invalid value for option '--until-idle': " + untilIdle + " is not above zero");
        }
        LanekeeperConfig config = options.load();
        String findings = findingsTopic(config);
        int code = ExitCode.DONE;
        for (String topic : config.topics()) {
            AuditReport report = audit(config, topic, findings);
            print(config, topic, report);
            code = Math.max(code, codeOf(report));
        }
        return code;
    }

    /** An audit that saw nothing proves nothing, so it has failed at what it was asked to do. */
    private static int codeOf(AuditReport report) {
        if (report.clean()) {
            return ExitCode.DONE;
        }
        return report.violations() > 0 ? ExitCode.VIOLATION : ExitCode.FAILED;
    }

    private AuditReport audit(LanekeeperConfig config, String topic, @Nullable String findings)
            throws InterruptedException {
        AuditSettings settings = AuditSettings.DEFAULT.withTopics(topic, config.outcomesTopic(), findings);
        try {
            return new Audit(settings, config.streamsSettings()).run(untilIdle, (read, total) -> {});
        } catch (AuditException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /** The topic for findings if it is there; the report has the first of them in any case. */
    private @Nullable String findingsTopic(LanekeeperConfig config) throws InterruptedException {
        List<String> needed = Stream.concat(config.topics().stream(), Stream.of(config.outcomesTopic()))
                .toList();
        BrokerAccess.requireTopics(config, needed);
        String topic = config.findingsTopic();
        Map<String, Integer> there = BrokerAccess.ask(config, topics -> topics.partitions(List.of(topic)));
        if (there.isEmpty()) {
            spec.commandLine().getErr().println("warning: topic " + topic + " not found; findings are only printed");
            return null;
        }
        return topic;
    }

    private void print(LanekeeperConfig config, String topic, AuditReport report) {
        PrintWriter out = spec.commandLine().getOut();
        Verdict verdict = new Verdict(topic, config.outcomesTopic(), report);
        out.println(json ? verdict.json() : verdict.text());
        out.flush();
    }
}
