package dev.lanekeeper.demo;

import dev.lanekeeper.app.cli.Main;
import dev.lanekeeper.testkit.process.ChildJvm;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The processor instances of a chaos test: processes that come and go, each life under a name of its own. Confined to the
 * test's thread.
 */
final class ChaosFleet {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ChildJvms jvms;
    private final Path config;
    private final Map<String, ChildJvm> running = new LinkedHashMap<>();
    private final Map<String, Path> outputs = new LinkedHashMap<>();
    private final Set<String> frozen = new HashSet<>();
    private int lives;

    ChaosFleet(ChildJvms jvms, Path config) {
        this.jvms = jvms;
        this.config = config;
    }

    /** Starts an instance, and answers its name. */
    String launch() {
        String name = "life-" + ++lives;
        ChildJvm process =
                jvms.start(Main.class, "run", "--config", config.toString(), "--set", "lanekeeper.instance.id=" + name);
        running.put(name, process);
        outputs.put(name, process.outputFile());
        return name;
    }

    void awaitRunning(String name) {
        process(name).awaitLine("running instance " + name, PATIENCE);
    }

    /** One of those that run. */
    String any(RandomGenerator random) {
        List<String> names = List.copyOf(running.keySet());
        return names.get(random.nextInt(names.size()));
    }

    List<String> names() {
        return List.copyOf(running.keySet());
    }

    void kill9(String name) {
        process(name).kill9();
        running.remove(name);
    }

    /** Ends it by SIGTERM, which it must survive with exit code 0. */
    void stop(String name) {
        ChildJvm process = process(name);
        process.terminate();
        int exitCode = process.exitCode(PATIENCE);
        if (exitCode != 0) {
            throw new AssertionError(name + " ended with code " + exitCode + " on SIGTERM: " + process.outputTail());
        }
        running.remove(name);
    }

    void freeze(String name) {
        frozen.add(name);
        process(name).suspend();
    }

    void thaw(String name) {
        process(name).resume();
    }

    /** No instance may end by itself, whatever happens around it. */
    void requireAlive() {
        running.forEach((name, process) -> {
            if (!process.isAlive()) {
                throw new AssertionError(name + " has ended by itself: " + process.outputTail());
            }
        });
    }

    /**
     * Lives that were, or may have been, expelled from the group while they worked: for these, and no others, another may
     * have begun their customers' records before they had ended.
     */
    Set<String> expelled() {
        Set<String> names = new HashSet<>(frozen);
        outputs.forEach((name, output) -> {
            if (says(output, " lost [") || says(output, "gave up ")) {
                names.add(name);
            }
        });
        return names;
    }

    private static boolean says(Path output, String text) {
        try (var lines = Files.lines(output)) {
            return lines.anyMatch(line -> line.contains(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops all, one after the other. */
    void stopAll() {
        new ArrayList<>(running.keySet()).forEach(this::stop);
    }

    private ChildJvm process(String name) {
        ChildJvm process = running.get(name);
        if (process == null) {
            throw new IllegalArgumentException("no such instance runs: " + name);
        }
        return process;
    }
}
