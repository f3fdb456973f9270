package dev.lanekeeper.app.cli;

import dev.lanekeeper.app.config.ConfigurationException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says how a command failed in one line on the error stream; the trace only with {@link #VERBOSE}. Stateless. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    /** The option that asks for the trace. */
    static final String VERBOSE = "--verbose";

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine line = e.getCommandLine();
        String command = line.getCommandSpec().qualifiedName();
        say(line, firstLine(e.getMessage()) + suggestion(e) + " (see " + command + " --help)");
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine line, ParseResult result) {
        Throwable cause = unwrap(e);
        say(line, message(cause));
        if (verbose(result)) {
            traceOf(cause, line);
        }
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return cause instanceof ConfigurationException ? ExitCode.USAGE : ExitCode.FAILED;
    }

    private static boolean verbose(ParseResult result) {
        return result.matchedOptionValue(VERBOSE, false) || (result.hasSubcommand() && verbose(result.subcommand()));
    }

    private static void say(CommandLine line, String message) {
        line.getErr().println("lanekeeper: " + message);
        line.getErr().flush();
    }

    /** A misspelt required option is told as a missing one, so what could not be understood is told as well. */
    private static String suggestion(ParameterException e) {
        List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
        if (e instanceof MissingParameterException && !unmatched.isEmpty()) {
            return "; not understood: " + String.join(" ", unmatched);
        }
        List<String> near = e instanceof UnmatchedArgumentException unknown ? unknown.getSuggestions() : List.of();
        return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }

    private static String message(Throwable cause) {
        if (cause instanceof ConfigurationException || cause instanceof CommandFailure) {
            return firstLine(cause.getMessage());
        }
        if (cause instanceof KafkaException) {
            return "Kafka: " + cause.getClass().getSimpleName() + ": " + firstLine(cause.getMessage());
        }
        return cause.getClass().getName() + ": " + firstLine(cause.getMessage());
    }

    private static Throwable unwrap(Throwable e) {
        Throwable cause = e;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "no message" : text.lines().findFirst().orElse("");
    }

    private static void traceOf(Throwable cause, CommandLine line) {
        line.getErr().println(line.getColorScheme().stackTraceText(cause));
        line.getErr().flush();
    }
}
