package dev.lanekeeper.app.cli;

import dev.lanekeeper.app.config.ConfigPage;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints every configuration key. */
@Command(name = "config", description = "Print every configuration key with its type, default and meaning.")
final class ConfigCommand implements Subcommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--markdown", description = "Print the page docs/configuration.md.")
    private boolean markdown;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(markdown ? ConfigPage.markdown() : ConfigPage.text());
        out.flush();
        return ExitCode.DONE;
    }
}
