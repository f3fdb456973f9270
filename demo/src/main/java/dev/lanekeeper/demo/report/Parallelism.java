package dev.lanekeeper.demo.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many customers had a job running at the same moment. */
final class Parallelism {
    private record Edge(long nanos, boolean begin, String customerId) {}

    private Parallelism() {}

    /** The largest number of different customers in flight at once; a run that ends when another begins is over. */
    static int mostAtOnce(List<Run> runs) {
        List<Edge> edges = new ArrayList<>(2 * runs.size());
        for (Run run : runs) {
            if (run.endNanos() > run.startNanos()) {
                edges.add(new Edge(run.startNanos(), true, run.customerId()));
                edges.add(new Edge(run.endNanos(), false, run.customerId()));
            }
        }
        edges.sort(Comparator.comparingLong(Edge::nanos).thenComparing(Edge::begin));
        Map<String, Integer> running = new HashMap<>();
        int most = 0;
        for (Edge edge : edges) {
            if (edge.begin()) {
                running.merge(edge.customerId(), 1, Integer::sum);
                most = Math.max(most, running.size());
            } else {
                running.computeIfPresent(edge.customerId(), (id, count) -> count == 1 ? null : count - 1);
            }
        }
        return most;
    }
}
