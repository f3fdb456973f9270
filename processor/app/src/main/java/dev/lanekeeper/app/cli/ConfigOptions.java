package dev.lanekeeper.app.cli;

import dev.lanekeeper.app.config.LanekeeperConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that give a command its configuration, for {@link Mixin}. Confined to the command's thread. */
public final class ConfigOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "Configuration: a file of Java properties. See 'lanekeeper config' for the keys.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets one key, over the file and the environment. May be repeated.")
    private final Map<String, String> overrides = new LinkedHashMap<>();

    /** Reads file and environment; prints what looks like a slip to the command's error stream. */
    public LanekeeperConfig load() {
        LanekeeperConfig config = LanekeeperConfig.load(file, System.getenv(), overrides);
        config.warnings().forEach(warning -> command.commandLine().getErr().println("warning: " + warning));
        return config;
    }
}
