package dev.lanekeeper.demo;

import dev.lanekeeper.app.cli.CommandFailure;
import dev.lanekeeper.app.cli.ExitCode;
import dev.lanekeeper.app.cli.StopSignal;
import dev.lanekeeper.app.cli.Subcommand;
import dev.lanekeeper.demo.report.DemoReport;
import dev.lanekeeper.simulator.cli.WorkloadOptions;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import dev.lanekeeper.testkit.broker.BrokerSettings;
import dev.lanekeeper.testkit.broker.EmbeddedKafka;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Everything at once, in this process, and a report. Confined to the main thread. */
@Command(
        name = "demo",
        description = {
            "Show Lanekeeper at work: start a Kafka in this process, processors and traffic, wait until every job has"
                    + " ended, audit the topics, and report.",
            "Needs nothing installed and leaves nothing behind. The report goes to standard output, progress to standard"
                    + " error. Exit code 0 only if every job is accounted for and the audit is clean. Without --seed the"
                    + " seed is 42."
        })
public final class DemoCommand implements Subcommand {
    private static final long STANDARD_SEED = 42;
    private static final int MOST_INSTANCES = 12;
    private static final Duration LONGEST_STOP = Duration.ofMinutes(1);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final WorkloadOptions workloadOptions = new WorkloadOptions();

    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many processors share the work, 1 to " + MOST_INSTANCES + ". Default: ${DEFAULT-VALUE}.")
    private int instances;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "0",
            description = "Port of the Kafka; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--no-console",
            description = "Do not serve the web console. There is none yet, so this changes nothing.")
    @SuppressWarnings("UnusedVariable") // scripts may say it already
    private boolean noConsole;

    @Option(names = "--keep", description = "After the report keep the Kafka up, with all that is in it, until Ctrl-C.")
    private boolean keep;

    @Override
    public Integer call() throws InterruptedException {
        WorkloadSettings workload = workload();
        BrokerSettings settings = brokerSettings();
        QuietLogs.apply();
        StopSignal stop = StopSignal.of(spec);
        stop.catchSignals(LONGEST_STOP);
        PrintWriter err = spec.commandLine().getErr();
        say(err, "starting Kafka in this process...");
        try (EmbeddedKafka kafka = BrokerCommand.start(settings)) {
            say(err, "Kafka is up at " + kafka.bootstrapServers());
            DemoReport report = run(new Demo(kafka, workload, instances, line -> say(err, line)), stop);
            say(spec.commandLine().getOut(), report.text());
            if (keep) {
                keep(kafka, stop);
            }
            return switch (report.verdict()) {
                case GOOD -> ExitCode.DONE;
                case INCOMPLETE -> ExitCode.FAILED;
                case VIOLATION -> ExitCode.VIOLATION;
            };
        }
    }

    private static DemoReport run(Demo demo, StopSignal stop) {
        Thread runner = Thread.currentThread();
        CompletableFuture<Void> stopping = stop.requested().thenRun(runner::interrupt);
        try {
            return demo.run();
        } catch (InterruptedException e) {
            throw new CommandFailure("the demo was stopped before its end", e);
        } finally {
            stopping.cancel(false);
            // closing what was started must not be cut short
            Thread.interrupted();
        }
    }

    private void keep(EmbeddedKafka kafka, StopSignal stop) throws InterruptedException {
        say(
                spec.commandLine().getOut(),
                String.join(
                        System.lineSeparator(),
                        "",
                        "  Kafka stays up at " + kafka.bootstrapServers() + " until Ctrl-C. Topics: customer-jobs,",
                        "  job-outcomes, dead-letters. From another terminal, for example:",
                        "    KAFKA_BOOTSTRAP_SERVERS=" + kafka.bootstrapServers()
                                + " ./lanekeeper audit --config config/processor.properties"));
        try {
            CompletableFuture.anyOf(stop.requested(), kafka.failure()).get();
        } catch (ExecutionException e) {
            throw new CommandFailure("the broker stopped by itself: " + e.getCause(), e);
        }
    }

    private WorkloadSettings workload() {
        WorkloadSettings workload = workloadOptions.settings(STANDARD_SEED);
        if (workload.jobs() < 1) {
            throw wrong("--jobs is " + workload.jobs() + "; allowed: 1 or more");
        }
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw wrong("--instances is " + instances + "; allowed: 1 to " + MOST_INSTANCES);
        }
        return workload;
    }

    private BrokerSettings brokerSettings() {
        try {
            return BrokerSettings.DEFAULTS.onPort(port);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static void say(PrintWriter writer, String text) {
        writer.println(text);
        writer.flush();
    }
}
