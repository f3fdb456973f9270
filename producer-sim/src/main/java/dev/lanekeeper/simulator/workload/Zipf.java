package dev.lanekeeper.simulator.workload;

import java.util.random.RandomGenerator;

/**
 * Draws ranks 1 to n, rank k with a probability in proportion to {@code 1 / k^skew}. Immutable; the generator is the
 * caller's.
 *
 * <p>Constant time and constant memory for any n: rejection-inversion, after W. Hörmann and G. Derflinger,
 * "Rejection-inversion to generate variates from monotone discrete distributions", ACM Transactions on Modeling and
 * Computer Simulation 6 (3), 1996. The histogram of the probabilities lies under the hat {@code x^-skew}, whose
 * integral {@code H} can be inverted: draw a point under the hat, round its x to a rank, and keep it if the point is
 * within that rank's bar. A draw is kept in most cases after one comparison. {@link StrictMath}, so that a seed means
 * the same on every machine.
 */
final class Zipf {
    private final int ranks;
    private final double skew;
    private final double areaAtFirst;
    private final double areaAtLast;
    private final double keepWithin;

    /**
     * @param ranks how many ranks, at least 1
     * @param skew 0 for all alike, 1 for the classic law, more for steeper
     */
    Zipf(int ranks, double skew) {
        this.ranks = ranks;
        this.skew = skew;
        // the bar of rank 1 is cut off the hat to its full height, so that rank 1 is never refused for its left half
        this.areaAtFirst = area(1.5) - 1;
        this.areaAtLast = area(ranks + 0.5);
        this.keepWithin = 2 - areaInverse(area(2.5) - weight(2));
    }

    /** The next rank, 1 to n. */
    int next(RandomGenerator random) {
        while (true) {
            double u = areaAtLast + random.nextDouble() * (areaAtFirst - areaAtLast);
            double x = areaInverse(u);
            int rank = (int) Math.max(1, Math.min(ranks, Math.round(x)));
            if (rank - x <= keepWithin || u >= area(rank + 0.5) - weight(rank)) {
                return rank;
            }
        }
    }

    private double weight(double x) {
        return StrictMath.exp(-skew * StrictMath.log(x));
    }

    /** The integral of {@code t^-skew} from 1 to x, without cancellation when skew is close to 1. */
    private double area(double x) {
        double log = StrictMath.log(x);
        return log * expm1Ratio((1 - skew) * log);
    }

    private double areaInverse(double area) {
        // rounding can push the argument of the logarithm a hair below its domain
        double t = Math.max(-1, area * (1 - skew));
        return StrictMath.exp(area * log1pRatio(t));
    }

    /** {@code (e^x - 1) / x}, continued at 0. */
    private static double expm1Ratio(double x) {
        return Math.abs(x) > 1e-8 ? StrictMath.expm1(x) / x : 1 + x / 2;
    }

    /** {@code ln(1 + x) / x}, continued at 0. */
    private static double log1pRatio(double x) {
        return Math.abs(x) > 1e-8 ? StrictMath.log1p(x) / x : 1 - x / 2;
    }
}
