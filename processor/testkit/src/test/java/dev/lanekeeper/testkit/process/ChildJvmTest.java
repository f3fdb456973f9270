package dev.lanekeeper.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;
import org.junit.platform.testkit.engine.TestExecutionResultConditions;

class ChildJvmTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    final ChildJvms jvms = new ChildJvms();

    @Test
    void runsAMainWithArgumentsAndFlagsAndKeepsItsOutput() throws IOException {
        ChildJvm child = jvms.start(List.of("-Dgreeting=friend"), ChildMain.class, "greet", "my old");
        assertThat(child.exitCode(PATIENCE)).isZero();
        assertThat(child.awaitLine("^hello (.*)$", PATIENCE)).isEqualTo("hello my old friend");
        child.close();
        assertThat(Files.readAllLines(child.outputFile())).contains("hello my old friend", "and an error");
    }

    @Test
    void aLineThatNeverComesFailsWithTheOutput() {
        ChildJvm child = jvms.start(ChildMain.class, "stay");
        child.awaitLine("ready", PATIENCE);
        assertThatThrownBy(() -> child.awaitLine("steady", Duration.ofMillis(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("/steady/", "it runs", "ready");
    }

    @Test
    void aChildThatFailsIsNotWaitedForAndShowsWhy() {
        ChildJvm child = jvms.start(ChildMain.class, "fail");
        assertThatThrownBy(() -> child.awaitLine("ready", Duration.ofMinutes(10)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("IllegalStateException: planted");
        assertThat(child.exitCode(PATIENCE)).isEqualTo(1);
    }

    @Test
    void killEndsItWithoutAWord() {
        ChildJvm child = jvms.start(ChildMain.class, "stay");
        child.awaitLine("ready", PATIENCE);
        child.kill9();
        assertThat(child.exitCode(PATIENCE)).isEqualTo(128 + 9);
        assertThat(child.outputTail()).doesNotContain("bye");
    }

    @Test
    void terminateLetsItEnd() {
        ChildJvm child = jvms.start(ChildMain.class, "stay");
        child.awaitLine("ready", PATIENCE);
        child.terminate();
        child.awaitLine("bye", PATIENCE);
        assertThat(child.exitCode(PATIENCE)).isEqualTo(128 + 15);
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void aSuspendedChildStandsStillUntilResumedAndCanBeKilled() throws IOException {
        ChildJvm child = jvms.start(ChildMain.class, "count");
        child.awaitLine("count 5$", PATIENCE);
        child.suspend();
        await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(new Still(child)::isStill);
        assertThat(child.isAlive()).isTrue();

        int before = lines(child);
        child.resume();
        child.awaitLine("count " + (before + 5) + "$", PATIENCE);

        child.suspend();
        child.kill9();
        assertThat(child.isAlive()).isFalse();
    }

    /** Whether a child has printed nothing since it was last asked. */
    private static final class Still {
        private final ChildJvm child;
        private int lines = -1;

        Still(ChildJvm child) {
            this.child = child;
        }

        boolean isStill() throws IOException {
            int before = lines;
            lines = lines(child);
            return before == lines;
        }
    }

    private static int lines(ChildJvm child) throws IOException {
        return Files.readAllLines(child.outputFile()).size();
    }

    @Test
    void anExitThatNeverComesFails() {
        ChildJvm child = jvms.start(ChildMain.class, "stay");
        assertThatThrownBy(() -> child.exitCode(Duration.ofMillis(10)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("has not ended within PT0.01S");
    }

    @Test
    void aFailedTestShowsTheOutputAndLeavesNoChild() {
        Failing.STARTED.clear();
        EngineTestKit.engine("junit-jupiter")
                .selectors(DiscoverySelectors.selectClass(Failing.class))
                .execute()
                .testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        EventConditions.finishedWithFailure(
                                TestExecutionResultConditions.message("planted"),
                                TestExecutionResultConditions.suppressed(
                                        0,
                                        TestExecutionResultConditions.message(text ->
                                                text.contains("ended with code 137") && text.contains("ready")))));
        assertThat(Failing.STARTED).hasSize(1).noneMatch(ChildJvm::isAlive);
    }

    /** Not a test of its own: {@link #aFailedTestShowsTheOutputAndLeavesNoChild} runs it. */
    static class Failing {
        static final List<ChildJvm> STARTED = new ArrayList<>();

        @RegisterExtension
        final ChildJvms jvms = new ChildJvms();

        @Test
        void fails() {
            ChildJvm child = jvms.start(ChildMain.class, "stay");
            STARTED.add(child);
            child.awaitLine("ready", PATIENCE);
            throw new IllegalStateException("planted", null);
        }
    }

    @Test
    void olderJdksAreSparedFlagsTheyDoNotKnow() {
        assertThat(ChildJvms.flagsOf(17)).noneMatch(flag -> flag.startsWith("--"));
        assertThat(ChildJvms.flagsOf(25)).contains("--sun-misc-unsafe-memory-access=allow");
    }
}
