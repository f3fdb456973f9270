package dev.lanekeeper.testkit.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A JVM that a test has started. Thread-safe. Methods that wait throw an {@link AssertionError} with the end of the
 * child's output if they wait in vain.
 */
public final class ChildJvm implements AutoCloseable {
    private static final Duration LONGEST_DYING = Duration.ofSeconds(10);

    private final String name;
    private final Process process;
    private final OutputLog output;
    private final Thread killer;

    private ChildJvm(String name, Process process, OutputLog output) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.killer = new Thread(this::kill, "kill-" + name);
    }

    static ChildJvm start(String name, List<String> command, Path outputFile) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ChildJvm child = new ChildJvm(
                name, process, OutputLog.copying(process.getInputStream(), outputFile, "output-of-" + name));
        Runtime.getRuntime().addShutdownHook(child.killer); // a test run that is cut short leaves nobody behind
        return child;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs; a suspended one does. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Where its output is, standard error included. */
    public Path outputFile() {
        return output.file();
    }

    /** The last lines of its output. */
    public String outputTail() {
        return output.tail();
    }

    /**
     * Waits for a line that contains a match of {@code regex}, and answers the first one there ever was.
     *
     * @throws AssertionError if there is none within {@code timeout}, or the child ends without one
     */
    public String awaitLine(String regex, Duration timeout) {
        try {
            String line = output.await(Pattern.compile(regex), timeout.toNanos());
            if (line == null) {
                throw failure("has not printed /" + regex + "/ within " + timeout);
            }
            return line;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Ends it as a power failure would (SIGKILL), suspended or not, and waits until it is gone. */
    public void kill9() {
        kill();
        exitCode(LONGEST_DYING);
    }

    /** By its handle: {@link Process#destroyForcibly} also closes our end of its output, and last words are lost. */
    private void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Asks it to end (SIGTERM) and returns at once. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Stops it in the middle of what it does (SIGSTOP), as a long collection of garbage or a frozen machine would. */
    public void suspend() {
        signal("STOP");
    }

    /** Lets it go on after {@link #suspend} (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .redirectErrorStream(true)
                    .start();
            if (kill.waitFor() != 0) {
                throw failure("could not be sent SIG" + signal);
            }
        } catch (IOException e) {
            throw new IllegalStateException("no kill command to send SIG" + signal + " with", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Waits until it has ended, and answers its exit code: 128 and the signal's number if a signal ended it.
     *
     * @throws AssertionError if it has not ended within {@code timeout}
     */
    public int exitCode(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw failure("has not ended within " + timeout);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Kills it if it still runs, and waits until it and its output have ended. */
    @Override
    public void close() {
        kill9();
        try {
            if (!output.awaitEnd(LONGEST_DYING.toNanos(), TimeUnit.NANOSECONDS)) {
                throw failure("was killed and still has its output open");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            forgetKiller();
        }
    }

    private void forgetKiller() {
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            kill(); // this JVM is ending, hooks cannot be taken back, and twice is as good as once
        }
    }

    private AssertionError failure(String what) {
        return new AssertionError(this + " " + what + "; " + describeOutput());
    }

    private IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + this, cause);
    }

    String describeOutput() {
        String state = process.isAlive() ? "it runs" : "it ended with code " + process.exitValue();
        return state + ", and the end of its output (" + outputFile() + ") is:\n" + outputTail();
    }

    @Override
    public String toString() {
        return name + " (process " + pid() + ")";
    }
}
