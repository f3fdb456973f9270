package dev.lanekeeper.lanes;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;

/**
 * Runs all scenarios as jcstress does: each in JVMs of its own, interpreted and compiled in all combinations, with its
 * threads on all kinds of processor that there are. Fails unless every planted fault is found and nothing else is.
 *
 * <p>Two arguments: the preset of jcstress ({@code quick}, {@code default}, {@code tough}) and a regular expression that
 * scenarios' names must contain a match of. Leaves reports and results in the working folder.
 */
public final class FullStress {
    private static final String PLANTED = "dev\\.lanekeeper\\.lanes\\.planted\\..*";
    private static final String REAL = "dev\\.lanekeeper\\.(lanes|flight)\\.[A-Z].*";

    private FullStress() {}

    /** Ends with an exception, and so with an exit code, if the verdict is bad. */
    public static void main(String[] args) throws Exception {
        String preset = args[0];
        String only = "(?=.*" + args[1] + ")";
        List<String> missed = failing(run("planted", preset, PLANTED), false);
        List<String> found = failing(run("real", preset, only + REAL), true);
        if (!missed.isEmpty() || !found.isEmpty()) {
            throw new AssertionError("planted faults that were not seen: " + missed + "; forbidden outcomes: " + found);
        }
    }

    private static Collection<TestResult> run(String folder, String preset, String names) throws Exception {
        Options options = new Options(new String[] {"-m", preset, "-r", folder, "-t", names});
        if (!options.parse()) {
            throw new IllegalArgumentException("not a preset or not an expression: " + preset + ", " + names);
        }
        JCStress stress = new JCStress(options);
        SortedSet<String> asked = stress.getTests();
        if (asked.isEmpty()) {
            throw new IllegalArgumentException("no scenario matches " + names);
        }
        try {
            stress.run();
        } catch (AssertionError e) {
            System.out.println("jcstress: " + e.getMessage()); // of the planted faults that is to be hoped
        }
        return resultsOf(asked, options.getResultFile());
    }

    private static Collection<TestResult> resultsOf(SortedSet<String> asked, String file)
            throws IOException, ClassNotFoundException {
        InProcessCollector results = new InProcessCollector();
        DiskReadCollector reader = new DiskReadCollector(file, results);
        try {
            reader.dump();
        } finally {
            reader.close();
        }
        SortedSet<String> ran = new TreeSet<>();
        results.getTestResults().forEach(result -> ran.add(result.getName()));
        if (!ran.equals(asked)) {
            throw new AssertionError("asked for " + asked + ", ran " + ran);
        }
        return results.getTestResults();
    }

    /** The scenarios that failed in some way of running them, or those that failed in none. */
    private static List<String> failing(Collection<TestResult> results, boolean failed) {
        SortedSet<String> names = new TreeSet<>();
        SortedSet<String> failures = new TreeSet<>();
        for (TestResult result : results) {
            names.add(result.getName());
            if (!TestGrading.grade(result).isPassed) {
                failures.add(result.getName());
            }
        }
        names.removeAll(failures);
        return List.copyOf(failed ? failures : names);
    }
}
