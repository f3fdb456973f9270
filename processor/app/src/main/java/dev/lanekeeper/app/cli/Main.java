package dev.lanekeeper.app.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** The command {@code lanekeeper}: finds the commands, runs one, and turns how it ended into an exit code. */
@Command(
        name = "lanekeeper",
        description = "Per-customer ordering for Kafka: one customer's jobs run one at a time and in order, different"
                + " customers' in parallel.",
        versionProvider = Main.Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed while running",
            "2:wrong usage or configuration",
            "3:the audit found a violation"
        })
public final class Main implements Callable<Integer> {
    private final StopSignal stopSignal;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private Main(StopSignal stopSignal) {
        this.stopSignal = stopSignal;
    }

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        StopSignal stopSignal = new StopSignal(true);
        CommandLine line = commandLine(stopSignal);
        int code = line.execute(args);
        line.getOut().flush();
        line.getErr().flush();
        stopSignal.exit(code);
    }

    /** The whole command line, to run commands within a process: its own streams can be set. */
    public static CommandLine commandLine() {
        return commandLine(new StopSignal(false));
    }

    static CommandLine commandLine(StopSignal stopSignal) {
        CommandLine line = new CommandLine(new Main(stopSignal));
        commands().forEach(line::addSubcommand);
        Failures failures = new Failures();
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print the version and exit.")
                        .build());
        addStandardOptions(line);
        return line.setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, new DurationConverter())
                .setUsageHelpAutoWidth(true);
    }

    StopSignal stopSignal() {
        return stopSignal;
    }

    /** Called when no command was given. */
    @Override
    public Integer call() {
        return usage(spec);
    }

    /** Prints the usage of a command that only holds others, called without one. */
    static int usage(CommandSpec spec) {
        PrintWriter err = spec.commandLine().getErr();
        spec.commandLine().usage(err);
        return ExitCode.USAGE;
    }

    private static List<Subcommand> commands() {
        List<Subcommand> own = List.of(new RunCommand(), new TopicsCommand(), new AuditCommand(), new ConfigCommand());
        Stream<Subcommand> others = ServiceLoader.load(Subcommand.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(command -> new CommandLine(command).getCommandName()));
        return Stream.concat(own.stream(), others).toList();
    }

    /** Every command at every level has {@code --help} and {@code --verbose}, wherever it was declared. */
    private static void addStandardOptions(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Print this help and exit.")
                .build());
        spec.addOption(OptionSpec.builder(Failures.VERBOSE)
                .type(boolean.class)
                .description("Print the trace of an error.")
                .build());
        line.getSubcommands().values().stream().distinct().forEach(Main::addStandardOptions);
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "lanekeeper "
                        + Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "development")
                        + ", Java " + Runtime.version()
            };
        }
    }
}
