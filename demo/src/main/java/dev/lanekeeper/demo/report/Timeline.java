package dev.lanekeeper.demo.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A few customers over a short while, drawn in characters: each row one customer, from left to right the time. Immutable.
 *
 * <p>Jobs of a customer are {@code #} and {@code =} by turns, so that two without a gap between them can be told apart;
 * {@code .} is no job. Two jobs of one customer at the same time would be {@code X}; that is decided by their exact
 * times, not by the columns.
 */
final class Timeline {
    static final char IDLE = '.';
    static final char OVERLAP = 'X';
    private static final int COLUMNS = 60;
    private static final int ROWS = 5;
    private static final int WINDOWS_TRIED = 200;
    private static final long FINEST_COLUMN_NANOS = 100_000;

    private final long columnNanos;
    private final List<String> rows;
    private final int customersActive;
    private final int mostAtOnce;

    private Timeline(long columnNanos, List<String> rows, int customersActive, int mostAtOnce) {
        this.columnNanos = columnNanos;
        this.rows = rows;
        this.customersActive = customersActive;
        this.mostAtOnce = mostAtOnce;
    }

    /** The stretch of time, among many tried, in which the most jobs began; and its busiest customers. */
    static Timeline of(List<Run> runs) {
        List<Run> sorted = new ArrayList<>(runs);
        sorted.sort(Comparator.comparingLong(Run::startNanos));
        if (sorted.isEmpty()) {
            return new Timeline(FINEST_COLUMN_NANOS, List.of(), 0, 0);
        }
        long columnNanos = columnNanos(sorted);
        long windowNanos = columnNanos * COLUMNS;
        long first = sorted.get(0).startNanos();
        long last = sorted.get(sorted.size() - 1).startNanos();
        long step = Math.max(1, (last - first) / WINDOWS_TRIED);
        long longest = sorted.stream()
                .mapToLong(run -> run.endNanos() - run.startNanos())
                .max()
                .orElseThrow();
        long best = first;
        int most = -1;
        for (long start = first; start <= last; start += step) {
            int begun = firstFrom(sorted, start + windowNanos) - firstFrom(sorted, start);
            if (begun > most) {
                most = begun;
                best = start;
            }
        }
        long windowStart = best;
        List<Run> window = within(sorted, windowStart - longest, windowStart + windowNanos).stream()
                .filter(run -> run.endNanos() > windowStart || run.startNanos() >= windowStart)
                .toList();
        return draw(window, windowStart, columnNanos);
    }

    /** Half the usual length of a run, so that one is about two columns wide; in whole tenths of a millisecond. */
    private static long columnNanos(List<Run> runs) {
        long[] lengths = runs.stream()
                .mapToLong(run -> run.endNanos() - run.startNanos())
                .sorted()
                .toArray();
        long half = lengths[lengths.length / 2] / 2;
        return Math.max(1, half / FINEST_COLUMN_NANOS) * FINEST_COLUMN_NANOS;
    }

    /** The runs that begin from {@code start} on and before {@code end}; {@code sorted} is by start. */
    private static List<Run> within(List<Run> sorted, long start, long end) {
        return sorted.subList(firstFrom(sorted, start), firstFrom(sorted, end));
    }

    private static int firstFrom(List<Run> sorted, long nanos) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).startNanos() < nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static List<Map.Entry<String, Long>> busiest(List<Run> runs) {
        Map<String, Long> counts = new HashMap<>();
        runs.forEach(run -> counts.merge(run.customerId(), 1L, Long::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(ROWS)
                .toList();
    }

    private static Timeline draw(List<Run> window, long startNanos, long columnNanos) {
        List<String> rows = new ArrayList<>();
        List<String> customers =
                busiest(window).stream().map(Map.Entry::getKey).sorted().toList();
        int width = customers.stream().mapToInt(String::length).max().orElse(0);
        for (String customer : customers) {
            List<Run> own = window.stream()
                    .filter(run -> run.customerId().equals(customer))
                    .toList();
            rows.add(String.format(Locale.ROOT, "%-" + width + "s  %s", customer, row(own, startNanos, columnNanos)));
        }
        int active = (int) window.stream().map(Run::customerId).distinct().count();
        return new Timeline(columnNanos, rows, active, Parallelism.mostAtOnce(window));
    }

    private static String row(List<Run> own, long startNanos, long columnNanos) {
        char[] cells = new char[COLUMNS];
        Arrays.fill(cells, IDLE);
        long busyUntil = Long.MIN_VALUE;
        char mark = '=';
        for (Run run : own) {
            mark = mark == '#' ? '=' : '#';
            int from = column(run.startNanos() - startNanos, columnNanos);
            int to = Math.max(from, column(run.endNanos() - 1 - startNanos, columnNanos));
            Arrays.fill(cells, from, to + 1, mark);
            if (run.startNanos() < busyUntil) {
                Arrays.fill(
                        cells,
                        from,
                        column(Math.min(busyUntil, run.endNanos()) - startNanos, columnNanos) + 1,
                        OVERLAP);
            }
            busyUntil = Math.max(busyUntil, run.endNanos());
        }
        return new String(cells);
    }

    private static int column(long sinceStartNanos, long columnNanos) {
        return (int) Math.max(0, Math.min(COLUMNS - 1, sinceStartNanos / columnNanos));
    }

    /** One line per customer: its id, then the drawing. */
    List<String> rows() {
        return rows;
    }

    /** How long one column is. */
    double columnMillis() {
        return columnNanos / 1e6;
    }

    /** How long the whole drawing is. */
    double millis() {
        return columnMillis() * COLUMNS;
    }

    /** How many customers had a job running in that time. */
    int customersActive() {
        return customersActive;
    }

    /** How many of their jobs ran at the same moment, at most. */
    int mostAtOnce() {
        return mostAtOnce;
    }
}
