package dev.lanekeeper.benchmarks.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM that was started for the comparison. Its errors go where ours go. Confined to one thread. */
final class Jvm implements AutoCloseable {
    private static final int FIRST_JDK_WITH_WARNINGS = 24;

    private static final int LONGEST_END_SECONDS = 20;

    private final Process process;
    private final BufferedReader output;

    private Jvm(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static Jvm start(String heap, String classPath, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms256m", "-Xmx" + heap, "-XX:+UseG1GC", "-classpath", classPath));
        if (Runtime.version().feature() >= FIRST_JDK_WITH_WARNINGS) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        String flags = System.getProperty("peers.flags", ""); // for a profiler, most likely
        if (!flags.isBlank()) {
            command.addAll(List.of(flags.split(" ")));
        }
        command.add(main.getName());
        command.addAll(arguments);
        return new Jvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** This JVM's own class path. */
    static String classPath() {
        return System.getProperty("java.class.path");
    }

    long pid() {
        return process.pid();
    }

    /** The next line that starts with {@code prefix}; {@code null} if it ends without one. */
    @Nullable
    String awaitLine(String prefix) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(prefix)) {
                return line;
            }
        }
        return null;
    }

    /** Ends it as a power failure would. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Ends its input, waits a while for it to end, then kills it. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit()
                .completeOnTimeout(process, LONGEST_END_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
    }
}
