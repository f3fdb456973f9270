package dev.lanekeeper.simulator.workload;

/** Pearson's chi-square test of counts against exact probabilities. */
final class GoodnessOfFit {
    /** Standard deviations above the mean of the statistic; a fair sample exceeds it once in many thousands. */
    private static final double TOLERANCE = 4;

    private GoodnessOfFit() {}

    /** Whether {@code counts} look drawn from {@code probabilities}; ranks with few expected draws are pooled. */
    static boolean fits(long[] counts, double[] probabilities) {
        double draws = 0;
        for (long count : counts) {
            draws += count;
        }
        double statistic = 0;
        int cells = 0;
        double pooledExpected = 0;
        double pooledCount = 0;
        for (int i = 0; i < counts.length; i++) {
            pooledExpected += draws * probabilities[i];
            pooledCount += counts[i];
            if (pooledExpected >= 10 || i == counts.length - 1) {
                statistic += Math.pow(pooledCount - pooledExpected, 2) / pooledExpected;
                cells++;
                pooledExpected = 0;
                pooledCount = 0;
            }
        }
        int freedom = Math.max(1, cells - 1);
        return statistic < freedom + TOLERANCE * Math.sqrt(2.0 * freedom);
    }

    /** The probabilities of Zipf's law for ranks 1 to n. */
    static double[] zipf(int n, double skew) {
        double[] probabilities = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            probabilities[i] = Math.pow(i + 1, -skew);
            sum += probabilities[i];
        }
        for (int i = 0; i < n; i++) {
            probabilities[i] /= sum;
        }
        return probabilities;
    }
}
