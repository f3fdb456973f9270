package dev.lanekeeper.simulator.cli;

import dev.lanekeeper.simulator.workload.WorkloadSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what is sent, for {@link Mixin}. Confined to the command's thread. */
public final class WorkloadOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How many records to send, poison included. Default: ${DEFAULT-VALUE}.")
    private long jobs;

    @Option(
            names = "--customers",
            paramLabel = "N",
            defaultValue = "500",
            description = "How many customers they belong to. Default: ${DEFAULT-VALUE}.")
    private int customers;

    @Option(
            names = "--skew",
            paramLabel = "Z",
            defaultValue = "0",
            description =
                    "How unevenly jobs fall on customers: 0 evenly; Z by Zipf's law, where the k-th customer's share"
                            + " is in proportion to 1/k^Z. Default: ${DEFAULT-VALUE}.")
    private double skew;

    @Option(
            names = "--poison-ratio",
            paramLabel = "R",
            defaultValue = "0",
            description = "Share of records that cannot be done, 0 to 1: half of them no job at all, half jobs of kind"
                    + " 'poison'. Default: ${DEFAULT-VALUE}.")
    private double poisonRatio;

    @Option(
            names = "--bulk-ratio",
            paramLabel = "R",
            defaultValue = "0",
            description = "Share of bulk commands. They are not processed yet: only 0 is allowed.")
    private double bulkRatio;

    @Option(names = "--seed", paramLabel = "S", description = "Decides every job and their order; the report names it.")
    private @Nullable Long seed;

    /**
     * What was asked for.
     *
     * @param defaultSeed if no seed was given
     * @throws ParameterException if a value is out of its range; it names the option
     */
    public WorkloadSettings settings(long defaultSeed) {
        CommandLine line = command.commandLine();
        if (bulkRatio != 0) {
            throw new ParameterException(
                    line, "--bulk-ratio is " + bulkRatio + ": bulk commands are not processed yet; allowed: 0");
        }
        try {
            return new WorkloadSettings(jobs, customers, skew, poisonRatio, seed == null ? defaultSeed : seed);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(line, "--" + e.getMessage(), e);
        }
    }
}
