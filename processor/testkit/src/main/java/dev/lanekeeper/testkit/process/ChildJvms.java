package dev.lanekeeper.testkit.process;

import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts JVMs for a test, and kills what is left of them after it: {@code @RegisterExtension final ChildJvms jvms = new
 * ChildJvms();}. If the test fails, its failure shows the end of each child's output. Thread-safe.
 *
 * <p>Children have this JVM's class path, at most 512 MB of heap, and the flags with which Kafka's clients are quiet.
 * Their output is kept in files under {@code target/child-jvms}.
 */
public final class ChildJvms implements AfterEachCallback {
    private static final int FIRST_JDK_WITH_WARNINGS = 24;
    private static final Path OUTPUT = Path.of("target", "child-jvms");

    private final List<ChildJvm> children = new CopyOnWriteArrayList<>();
    private final AtomicInteger number = new AtomicInteger();

    /** Starts a JVM that runs {@code main} with {@code arguments}. */
    public ChildJvm start(Class<?> main, String... arguments) {
        return start(List.of(), main, arguments);
    }

    /** Starts a JVM with more flags, as {@code -Dname=value}; they win over those that all children have. */
    public ChildJvm start(List<String> jvmFlags, Class<?> main, String... arguments) {
        String name = main.getSimpleName() + "-" + number.incrementAndGet();
        try {
            Files.createDirectories(OUTPUT);
            Path file = Files.createTempDirectory(OUTPUT, name + "-").resolve("output.log");
            ChildJvm child = ChildJvm.start(name, command(jvmFlags, main, arguments), file);
            children.add(child);
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a JVM for " + main.getName(), e);
        }
    }

    static List<String> command(List<String> jvmFlags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flagsOf(Runtime.version().feature()));
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Small and quick to start; and from some JDK on, permission for what Kafka still uses. */
    static List<String> flagsOf(int jdk) {
        List<String> flags =
                new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        if (jdk >= FIRST_JDK_WITH_WARNINGS) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return flags;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        children.forEach(ChildJvm::close);
        context.getExecutionException()
                .ifPresent(failure -> children.forEach(child -> failure.addSuppressed(new Output(child))));
        children.clear();
    }

    /** Carries a child's output in the failure's own stack trace. */
    private static final class Output extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        Output(ChildJvm child) {
            super(child + ": " + child.describeOutput(), null, false, false);
        }
    }
}
