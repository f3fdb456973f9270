package dev.lanekeeper.app.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs commands in this JVM and keeps what they print. One command at a time; {@link #stop} from any thread. */
final class Commands {
    private final StopSignal stop = new StopSignal(false);
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    int run(String... arguments) {
        CommandLine line = Main.commandLine(stop);
        return line.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    /** What SIGTERM would do. */
    void stop() {
        stop.request();
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
