package dev.lanekeeper.simulator.workload;

/**
 * What a workload looks like.
 *
 * @param jobs how many records, poison included; 0 or more
 * @param customers how many customers there are to choose from, 1 to {@value #MOST_CUSTOMERS}
 * @param skew how unevenly jobs fall on customers: 0 for evenly, s for Zipf's law, where the k-th customer gets a share
 *     in proportion to {@code 1 / k^s}; 0 to {@value #STEEPEST_SKEW}
 * @param poisonRatio which share of the records cannot be done, 0 to 1; about half of it is not decodable, the other
 *     half is jobs of the kind {@value Workload#POISON_KIND}
 * @param seed decides everything that is drawn
 */
public record WorkloadSettings(long jobs, int customers, double skew, double poisonRatio, long seed) {
    /** A count per customer is kept in memory; more is no workload for one process. */
    public static final int MOST_CUSTOMERS = 10_000_000;

    /** Beyond it practically every job is the first customer's. */
    public static final double STEEPEST_SKEW = 10;

    /** Checks every value. */
    public WorkloadSettings {
        require(jobs >= 0, "jobs", jobs, "0 or more");
        require(customers >= 1 && customers <= MOST_CUSTOMERS, "customers", customers, "1 to " + MOST_CUSTOMERS);
        require(skew >= 0 && skew <= STEEPEST_SKEW, "skew", skew, "0 to " + STEEPEST_SKEW);
        require(poisonRatio >= 0 && poisonRatio <= 1, "poison-ratio", poisonRatio, "0 to 1");
    }

    private static void require(boolean holds, String name, Number value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: " + allowed);
        }
    }
}
