package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.peers.contenders.Contender;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Function;

/**
 * What to compare. From the system properties {@code peers.*}.
 *
 * @param workloads over which records
 * @param contenders whom, of those that can run on this JVM
 * @param rounds of which medians are taken; each goes over everything
 * @param scale how many times the records that a workload has by default
 * @param heap of each run, as {@code -Xmx} takes it
 * @param file for the table
 * @param olderClients the jar for those who can't live with our clients
 */
record PeersSettings(
        List<Workload> workloads,
        List<Contender> contenders,
        int rounds,
        double scale,
        String heap,
        Path file,
        Path olderClients) {
    PeersSettings {
        if (rounds < 1) {
            throw new IllegalArgumentException("peers.rounds must be at least 1: " + rounds);
        }
        if (!(scale > 0 && scale <= 100)) {
            throw new IllegalArgumentException("peers.scale must be above 0 and at most 100: " + scale);
        }
    }

    static PeersSettings of(Properties properties) {
        return new PeersSettings(
                list(properties, "peers.workloads", Workload.ALL, Workload::of),
                list(properties, "peers.contenders", List.of(Contender.values()), PeersSettings::contender).stream()
                        .filter(Contender::possible)
                        .toList(),
                Integer.parseInt(properties.getProperty("peers.rounds", "3")),
                Double.parseDouble(properties.getProperty("peers.scale", "1")),
                properties.getProperty("peers.heap", "2g"),
                Path.of(properties.getProperty("peers.file", "peers.md")),
                Path.of(properties.getProperty("peers.older.clients", "none")));
    }

    private static <T> List<T> list(Properties properties, String name, List<T> all, Function<String, T> find) {
        String names = properties.getProperty(name, "all");
        return names.equals("all")
                ? all
                : Arrays.stream(names.split(",")).map(String::strip).map(find).toList();
    }

    private static Contender contender(String name) {
        return Arrays.stream(Contender.values())
                .filter(contender -> spelled(contender).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contender " + name + "; there are: "
                        + String.join(
                                ", ",
                                Arrays.stream(Contender.values())
                                        .map(PeersSettings::spelled)
                                        .toList())));
    }

    private static String spelled(Contender contender) {
        return contender.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The class path of a run; what needs older clients finds them first. */
    String classPath(Contender contender) {
        return contender.needsOlderClients() ? olderClients + File.pathSeparator + Jvm.classPath() : Jvm.classPath();
    }
}
