package dev.lanekeeper.app.cli;

import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.topics.TopicPlan;
import dev.lanekeeper.app.topics.TopicResult;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Holds the commands about topics. */
@Command(
        name = "topics",
        description = "Create the topics that Lanekeeper uses.",
        subcommands = TopicsCommand.Create.class)
final class TopicsCommand implements Subcommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        return Main.usage(spec);
    }

    /** Creates what is missing. */
    @Command(
            name = "create",
            description =
                    "Create the topics that are missing, with their partitions and settings. What exists is left as"
                            + " it is.")
    static final class Create implements Subcommand {
        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli
        private CommandSpec spec;

        @Mixin
        private final ConfigOptions options = new ConfigOptions();

        @Override
        public Integer call() throws InterruptedException {
            LanekeeperConfig config = options.load();
            PrintWriter out = spec.commandLine().getOut();
            for (TopicResult topic : BrokerAccess.ask(config, admin -> admin.create(TopicPlan.of(config)))) {
                out.printf(
                        "%-8s %s (%s)%n",
                        topic.created() ? "created" : "exists", topic.plan().name(), count(topic.partitions()));
                if (topic.differs()) {
                    spec.commandLine()
                            .getErr()
                            .printf(
                                    "warning: topic %s has %s, not %d; left as it is%n",
                                    topic.plan().name(),
                                    count(topic.partitions()),
                                    topic.plan().partitions());
                }
            }
            out.flush();
            return ExitCode.DONE;
        }

        private static String count(int partitions) {
            return partitions == 1 ? "1 partition" : partitions + " partitions";
        }
    }
}
