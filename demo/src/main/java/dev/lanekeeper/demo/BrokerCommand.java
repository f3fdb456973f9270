package dev.lanekeeper.demo;

import dev.lanekeeper.app.cli.CommandFailure;
import dev.lanekeeper.app.cli.ExitCode;
import dev.lanekeeper.app.cli.StopSignal;
import dev.lanekeeper.app.cli.Subcommand;
import dev.lanekeeper.testkit.broker.BrokerSettings;
import dev.lanekeeper.testkit.broker.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A single-node Kafka in the foreground until a signal. Confined to the main thread. */
@Command(
        name = "broker",
        description = {
            "Run a single-node Kafka (KRaft) on loopback in the foreground, to try things without installing one.",
            "Prints its address when it is up. Ctrl-C or SIGTERM stops it."
        })
public final class BrokerCommand implements Subcommand {
    private static final Duration LONGEST_STOP = Duration.ofSeconds(40);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Port to listen on; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder for the data, kept when the broker stops and served again when it starts. Default: a"
                    + " temporary one, deleted at the end.")
    private @Nullable Path data;

    @Override
    public Integer call() throws Exception {
        BrokerSettings settings = settings();
        QuietLogs.apply();
        StopSignal stop = StopSignal.of(spec);
        stop.catchSignals(LONGEST_STOP);
        try (EmbeddedKafka kafka = start(settings)) {
            spec.commandLine()
                    .getOut()
                    .println("Kafka is up at " + kafka.bootstrapServers() + ", data in " + kafka.directory()
                            + (data == null ? " (deleted at the end)" : "") + "; Ctrl-C stops it");
            spec.commandLine().getOut().flush();
            CompletableFuture.anyOf(stop.requested(), kafka.failure()).get();
            if (kafka.failure().isDone()) {
                Throwable cause = kafka.failure().get();
                throw new CommandFailure("the broker stopped by itself: " + cause.getMessage(), cause);
            }
        }
        return ExitCode.DONE;
    }

    private BrokerSettings settings() {
        try {
            BrokerSettings settings = BrokerSettings.DEFAULTS.onPort(port);
            return data == null ? settings : settings.keptIn(data);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    static EmbeddedKafka start(BrokerSettings settings) {
        try {
            return EmbeddedKafka.start(settings);
        } catch (IOException | IllegalStateException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }
}
