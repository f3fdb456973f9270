package dev.lanekeeper.benchmarks.peers;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What one run, or the median of several, came to. Travels as one line of text.
 *
 * @param rate records a second, from the first begin to the last end
 * @param cpuSeconds per million records
 * @param bytes allocated per record
 * @param megabytes the most memory the process had
 * @param p50 milliseconds from due to done; {@code NaN} if records do not come at a pace
 * @param p99 the same
 * @param foreignCores how busy other processes kept the machine meanwhile
 * @param remark what else there is to say
 * @param fault why the run does not count; empty if it does
 */
record Reading(
        double rate,
        double cpuSeconds,
        double bytes,
        double megabytes,
        double p50,
        double p99,
        double foreignCores,
        String remark,
        String fault) {
    static final String MARK = "READING ";

    static Reading failed(String fault) {
        double none = Double.NaN;
        return new Reading(none, none, none, none, none, none, none, "", fault);
    }

    boolean clean() {
        return fault.isEmpty();
    }

    /** The median of each, over the runs that count; if none does, the first fault. */
    static Reading median(List<Reading> runs) {
        List<Reading> clean = runs.stream().filter(Reading::clean).toList();
        if (clean.isEmpty()) {
            return runs.isEmpty() ? failed("not run") : runs.get(0);
        }
        return new Reading(
                middle(clean, Reading::rate),
                middle(clean, Reading::cpuSeconds),
                middle(clean, Reading::bytes),
                middle(clean, Reading::megabytes),
                middle(clean, Reading::p50),
                middle(clean, Reading::p99),
                middle(clean, Reading::foreignCores),
                clean.get(0).remark(),
                clean.size() == runs.size()
                        ? ""
                        : (runs.size() - clean.size()) + " of " + runs.size() + " runs failed");
    }

    /** The figures of this run, with what is to be said of both. */
    Reading followedBy(Reading second) {
        return new Reading(
                rate,
                cpuSeconds,
                bytes,
                megabytes,
                p50,
                p99,
                foreignCores,
                remark + second.remark,
                fault + second.fault);
    }

    private static double middle(List<Reading> runs, ToDoubleFunction<Reading> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    String line() {
        return MARK + "rate=" + rate + ";cpu=" + cpuSeconds + ";bytes=" + bytes + ";megabytes=" + megabytes + ";p50="
                + p50 + ";p99=" + p99 + ";foreign=" + foreignCores + ";remark=" + remark.replace(';', ',') + ";fault="
                + fault.replace(';', ',');
    }

    static Reading of(String line) {
        Map<String, String> fields = Arrays.stream(line.substring(MARK.length()).split(";", -1))
                .map(field -> field.split("=", 2))
                .collect(Collectors.toMap(field -> field[0], field -> field[1], (a, b) -> b, TreeMap::new));
        return new Reading(
                number(fields, "rate"),
                number(fields, "cpu"),
                number(fields, "bytes"),
                number(fields, "megabytes"),
                number(fields, "p50"),
                number(fields, "p99"),
                number(fields, "foreign"),
                fields.getOrDefault("remark", ""),
                fields.getOrDefault("fault", ""));
    }

    private static double number(Map<String, String> fields, String name) {
        return Double.parseDouble(fields.getOrDefault(name, "NaN"));
    }
}
