package dev.lanekeeper.simulator.cli;

import dev.lanekeeper.app.cli.BrokerAccess;
import dev.lanekeeper.app.cli.CommandFailure;
import dev.lanekeeper.app.cli.ConfigOptions;
import dev.lanekeeper.app.cli.ExitCode;
import dev.lanekeeper.app.cli.StopSignal;
import dev.lanekeeper.app.cli.Subcommand;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.simulator.SendFailedException;
import dev.lanekeeper.simulator.SentReport;
import dev.lanekeeper.simulator.Simulator;
import dev.lanekeeper.simulator.progress.Progress;
import dev.lanekeeper.simulator.workload.Workload;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends a seeded workload to the first configured topic and says what was sent. Confined to the main thread. */
@Command(
        name = "simulate",
        description = {
            "Send interleaved jobs of many customers to the first topic of lanekeeper.topics.",
            "Prints what was sent as JSON; progress goes to standard error. A signal ends it early: what was sent until"
                    + " then is acknowledged and reported. Without --seed each run has a new one."
        })
public final class SimulateCommand implements Subcommand {
    private static final Duration LONGEST_STOP = Duration.ofMinutes(3);
    private static final int LARGEST_NEW_SEED = 1_000_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final ConfigOptions configOptions = new ConfigOptions();

    @Mixin
    private final WorkloadOptions workloadOptions = new WorkloadOptions();

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = "Records per second, evenly spaced. Default: as fast as the broker takes them.")
    private @Nullable Double rate;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Also writes the JSON to FILE, with each customer's number of records and checksum: the CRC32C"
                            + " of its values one after another, in order.")
    private @Nullable Path reportFile;

    @Override
    public Integer call() throws IOException, InterruptedException {
        WorkloadSettings settings =
                workloadOptions.settings(ThreadLocalRandom.current().nextInt(LARGEST_NEW_SEED));
        OptionalDouble recordsPerSecond = recordsPerSecond();
        requireWritable(reportFile);
        LanekeeperConfig config = configOptions.load();
        String topic = config.topics().get(0);
        BrokerAccess.requireTopics(config, List.of(topic));

        SentReport report = send(config, topic, settings, recordsPerSecond);
        if (reportFile != null) {
            Files.writeString(reportFile, report.json() + System.lineSeparator());
        }
        spec.commandLine().getOut().println(report.summaryJson());
        return ExitCode.DONE;
    }

    private SentReport send(
            LanekeeperConfig config, String topic, WorkloadSettings settings, OptionalDouble recordsPerSecond) {
        StopSignal stop = StopSignal.of(spec);
        stop.catchSignals(LONGEST_STOP);
        Thread sender = Thread.currentThread();
        CompletableFuture<Void> stopping = stop.requested().thenRun(sender::interrupt);
        try (Producer<byte[], byte[]> producer = Simulator.producer(config.producerSettings());
                Progress progress = Progress.start("simulate", settings.jobs())) {
            return run(new Simulator(producer, topic, recordsPerSecond), settings, progress);
        } catch (SendFailedException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        } finally {
            stopping.cancel(false);
        }
    }

    private static SentReport run(Simulator simulator, WorkloadSettings settings, Progress progress)
            throws SendFailedException {
        try {
            return simulator.run(new Workload(settings, InstantSource.system()), progress);
        } finally {
            // the report says that it was stopped; the flag would keep the producer from closing in order
            Thread.interrupted();
        }
    }

    private OptionalDouble recordsPerSecond() {
        if (rate == null) {
            return OptionalDouble.empty();
        }
        if (!(rate > 0)) {
            throw new ParameterException(spec.commandLine(), "--rate is " + rate + "; allowed: above 0");
        }
        return OptionalDouble.of(rate);
    }

    /** Before anything is sent, because a report that cannot be written cannot be repeated. */
    private void requireWritable(@Nullable Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw new ParameterException(
                    spec.commandLine(), "--report is " + file + "; allowed: a file in a folder that exists");
        }
    }
}
