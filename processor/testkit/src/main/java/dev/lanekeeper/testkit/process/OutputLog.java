package dev.lanekeeper.testkit.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The output of a process: all of it in a file, its end in memory, and each line for who waits. Thread-safe. */
final class OutputLog {
    private static final int KEPT_LINES = 60;

    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition grown = lock.newCondition();
    private final Deque<String> tail = new ArrayDeque<>();
    private boolean ended;

    private OutputLog(Path file) {
        this.file = file;
    }

    /** Copies {@code output} to {@code file} until it ends, on a daemon thread of the name given. */
    static OutputLog copying(InputStream output, Path file, String threadName) throws IOException {
        Files.createFile(file);
        OutputLog log = new OutputLog(file);
        Thread copier = new Thread(() -> log.copy(output), threadName);
        copier.setDaemon(true);
        copier.start();
        return log;
    }

    private void copy(InputStream output) {
        try (BufferedReader from = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
                BufferedWriter to = Files.newBufferedWriter(file)) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                add(line, to);
            }
        } catch (IOException e) {
            keep("(output lost: " + e + ")"); // as when the process is killed in the middle of a read
        } finally {
            end();
        }
    }

    private void add(String line, BufferedWriter to) throws IOException {
        lock.lock();
        try {
            to.write(line);
            to.newLine();
            to.flush();
            keep(line);
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void keep(String line) {
        lock.lock();
        try {
            tail.addLast(line);
            if (tail.size() > KEPT_LINES) {
                tail.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            ended = true;
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a line with a match of {@code wanted}, from the beginning of the output on.
     *
     * @return the first such line, or {@code null} if the time or the output ended without one
     */
    @Nullable
    String await(Pattern wanted, long timeoutNanos) throws InterruptedException {
        long left = timeoutNanos;
        lock.lock();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            while (true) {
                String found = next(lines, wanted);
                if (found != null || ended || left <= 0) {
                    return found;
                }
                left = grown.awaitNanos(left); // the reader goes on where it was: only what is new is looked at
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable String next(BufferedReader lines, Pattern wanted) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (wanted.matcher(line).find()) {
                return line;
            }
        }
        return null;
    }

    /** Waits until the process has closed its output, so that the tail is all of it. */
    boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(timeout);
        lock.lock();
        try {
            while (!ended && left > 0) {
                left = grown.awaitNanos(left);
            }
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** The last lines. */
    String tail() {
        lock.lock();
        try {
            return String.join("\n", tail);
        } finally {
            lock.unlock();
        }
    }

    Path file() {
        return file;
    }
}
