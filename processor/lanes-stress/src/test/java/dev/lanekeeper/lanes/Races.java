package dev.lanekeeper.lanes;

import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Runs scenarios of jcstress for a moment each in this JVM, without its forks: in one of them it would have to find out
 * first what the machine can do, which takes longer than all the scenarios.
 */
final class Races {
    private static final String PLANTED = ".planted.";
    private static final String[] MOMENT = {"-iters", "1", "-time", "250", "-hs", "256", "-c", "2"};

    private Races() {}

    /** Those with the real classes. */
    static Stream<String> real() {
        return TestList.tests().stream().filter(name -> !name.contains(PLANTED));
    }

    /** Those with a fault in them. */
    static Stream<String> planted() {
        return TestList.tests().stream().filter(name -> name.contains(PLANTED));
    }

    /** Runs one scenario; the outcomes seen, graded. */
    static TestResult run(String name) throws Exception {
        TestInfo scenario = TestList.getInfo(name);
        Options options = new Options(MOMENT);
        if (!options.parse()) {
            throw new IllegalStateException("options not understood: " + List.of(MOMENT));
        }
        SchedulingClass anywhere = new SchedulingClass(AffinityMode.NONE, scenario.threads(), NodeType.PACKAGE);
        TestConfig config = new TestConfig(options, scenario, 0, List.of(), CompileMode.UNIFIED, anywhere);
        Runner<?> runner = Class.forName(scenario.generatedRunner())
                .asSubclass(Runner.class)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(new ForkedTestConfig(config));
        TestResult result = runner.run();
        result.setConfig(config);
        return result;
    }
}
