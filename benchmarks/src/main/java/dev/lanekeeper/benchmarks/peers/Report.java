package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.peers.contenders.Contender;
import dev.lanekeeper.benchmarks.peers.contenders.Contender.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** The runs of a comparison, as one table in Markdown for each workload. Not thread-safe. */
final class Report {
    private static final String HEADER = """
            | | records/s | to the better Lanekeeper | CPU s/M | B/record | MB | p50 ms | p99 ms | others' cores | |
            |---|---|---|---|---|---|---|---|---|---|
            """;

    private final Map<Workload, Map<Contender, List<Reading>>> runs = new LinkedHashMap<>();

    void add(Workload workload, Contender contender, Reading reading) {
        runs.computeIfAbsent(workload, none -> new LinkedHashMap<>())
                .computeIfAbsent(contender, none -> new ArrayList<>())
                .add(reading);
    }

    /** The median of the runs of one contender over one workload. */
    Reading median(String workload, Contender contender) {
        return Reading.median(of(workload).getOrDefault(contender, List.of()));
    }

    private Map<Contender, List<Reading>> of(String workload) {
        return runs.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(workload))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Map.of());
    }

    /** The best rate among those who keep the order of keys and are not ours; {@code NaN} if there is none. */
    double bestOther(String workload) {
        return best(workload, contender -> contender.order() == Order.KEY && !contender.ours());
    }

    private double best(String workload, Predicate<Contender> who) {
        return of(workload).keySet().stream()
                .filter(who)
                .mapToDouble(contender -> median(workload, contender).rate())
                .filter(rate -> !Double.isNaN(rate))
                .max()
                .orElse(Double.NaN);
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        runs.forEach((workload, cells) -> {
            text.append(String.format(
                            Locale.ROOT,
                            "%n### %s: %s, %,d records, %d partitions, %d at once%n%n",
                            workload.name(),
                            workload.title(),
                            workload.records(),
                            workload.partitions(),
                            workload.concurrency()))
                    .append(HEADER);
            double ours = best(workload.name(), Contender::ours);
            cells.keySet().forEach(contender -> row(text, contender, median(workload.name(), contender), ours));
        });
        return text.toString();
    }

    private static void row(StringBuilder text, Contender contender, Reading reading, double ours) {
        text.append("| ").append(contender.title());
        cell(text, "%,.0f", reading.rate());
        cell(text, "%.2f", reading.rate() / ours);
        cell(text, "%.2f", reading.cpuSeconds());
        cell(text, "%,.0f", reading.bytes());
        cell(text, "%,.0f", reading.megabytes());
        cell(text, "%.1f", reading.p50());
        cell(text, "%.1f", reading.p99());
        cell(text, "%.2f", reading.foreignCores());
        text.append(" | ").append(reading.remark()).append(' ').append(reading.fault());
        text.append(" |\n");
    }

    private static void cell(StringBuilder text, String format, double value) {
        text.append(" | ").append(Double.isNaN(value) ? "–" : String.format(Locale.ROOT, format, value));
    }
}
