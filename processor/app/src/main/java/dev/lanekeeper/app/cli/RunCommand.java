package dev.lanekeeper.app.cli;

import dev.lanekeeper.app.Processor;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.handlers.HandlerFactory;
import dev.lanekeeper.app.handlers.JobHandler;
import dev.lanekeeper.engine.EngineView;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs one processor instance until it is asked to stop, or cannot go on. */
@Command(
        name = "run",
        description = "Run one processor instance until Ctrl-C or SIGTERM, which lets running jobs finish and commits.")
final class RunCommand implements Subcommand {
    /** Beyond the drain timeout, for the last commit and for leaving the group. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Override
    public Integer call() throws InterruptedException {
        LanekeeperConfig config = options.load();
        // First, because a mistake in its settings needs no broker to be found.
        try (JobHandler handler = HandlerFactory.create(config)) {
            requireTopics(config);
            try (Processor processor = Processor.create(config, handler)) {
                run(config, processor);
            }
        }
        return ExitCode.DONE;
    }

    private void run(LanekeeperConfig config, Processor processor) {
        StopSignal stop = StopSignal.of(spec);
        stop.catchSignals(config.drainTimeout().plus(GRACE));
        processor.start();
        say("lanekeeper: running instance " + processor.instanceId() + ", topics " + config.topics() + ", handler "
                + config.handler());
        await(processor, CompletableFuture.anyOf(stop.requested(), processor.terminated()));
        processor.close(config.drainTimeout());
        await(processor, processor.terminated());
        say(summary(processor));
    }

    private static void requireTopics(LanekeeperConfig config) throws InterruptedException {
        String outcomes = config.outcomesTopic();
        List<String> topics = Stream.concat(config.topics().stream(), Stream.of(outcomes, config.deadLettersTopic()))
                .toList();
        Map<String, Integer> partitions = BrokerAccess.requireTopics(config, topics);
        int room = partitions.getOrDefault(outcomes, 0);
        for (String topic : config.topics()) {
            int jobs = partitions.getOrDefault(topic, 0);
            if (jobs > room) {
                throw new CommandFailure(
                        "topic " + outcomes + " has " + room + " partitions and " + topic + " has " + jobs
                                + "; an outcome goes to the partition of its job, so " + outcomes
                                + " needs at least as many",
                        null);
            }
        }
    }

    private static void await(Processor processor, CompletableFuture<?> end) {
        try {
            end.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new CommandFailure(
                    "instance " + processor.instanceId() + " cannot go on: "
                            + cause.getClass().getSimpleName() + ": " + cause.getMessage(),
                    cause);
        }
    }

    private static String summary(Processor processor) {
        EngineView view = processor.view();
        long dead = view.dead();
        return "lanekeeper: instance " + processor.instanceId() + " ended: " + (view.completed() - dead)
                + " done, " + dead + " dead-lettered, " + view.failedAttempts() + " attempts failed, "
                + (view.polled() - view.completed()) + " left for the next owner";
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
