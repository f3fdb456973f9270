package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** For how long a worker stays with a lane: as long as nobody waits for it. */
@SuppressWarnings("FutureReturnValueIgnored") // it matters when tasks run, not what they give
class TurnsTest {
    /** Longer than a turn, so that each task uses up its lane's. */
    private static final Duration LONG = Duration.ofMillis(2);

    private final ManualClock clock = new ManualClock();
    private final SteppingExecutor executor = new SteppingExecutor();
    private final Lanes<Integer> lanes =
            Lanes.<Integer>builder().executor(executor).clock(clock.nanos()).build();
    private final List<String> ran = new ArrayList<>();

    private void submit(int key, String name) {
        lanes.submit(key, () -> {
            clock.advance(LONG);
            return ran.add(name);
        });
    }

    @Test
    void aLaneThatNobodyWaitsBehindGoesOnWithoutAHop() {
        for (int i = 0; i < 4; i++) {
            submit(1, "a" + i);
        }
        assertThat(executor.runNext()).isTrue();
        assertThat(ran).containsExactly("a0", "a1", "a2", "a3");
        assertThat(executor.queued()).as("workers sent for nothing").isZero();
    }

    @Test
    void aLaneThatIsReadyHasItsTurnAfterOneOfTheOther() {
        submit(1, "a0");
        submit(1, "a1");
        submit(1, "a2");
        submit(2, "b0");
        submit(2, "b1");
        executor.runNext();
        assertThat(ran).containsExactly("a0", "b0", "a1", "b1", "a2");
    }

    @Test
    void oneThatBecomesReadyMeanwhileToo() {
        lanes.submit(1, () -> {
            clock.advance(LONG);
            submit(2, "b0");
            return ran.add("a0");
        });
        submit(1, "a1");
        executor.runNext();
        assertThat(ran).containsExactly("a0", "b0", "a1");
    }

    @Test
    void manyThatComeAtOnceAreStartedTogether() {
        for (int key = 0; key < 3; key++) {
            lanes.arrivals().enqueue(key, TaskTicket.blocking(() -> ran.add("one")));
        }
        assertThat(executor.queued()).as("not yet").isZero();
        lanes.arrivals().start();
        assertThat(executor.queued()).as("one worker for all").isEqualTo(1);
        executor.runAll();
        assertThat(ran).hasSize(3);
        lanes.arrivals().start();
        assertThat(executor.queued()).as("nothing is left").isZero();
    }

    /** Whoever brings many may fail before the last. */
    @Test
    void aCloseStartsThoseThatNobodyHasStarted() throws InterruptedException {
        lanes.arrivals().enqueue(1, TaskTicket.blocking(() -> ran.add("one")));
        lanes.close(Duration.ZERO);
        executor.runAll();
        assertThat(ran).containsExactly("one");
        assertThat(lanes.close(Duration.ZERO)).isTrue();
    }

    @Test
    void othersWhoUseTheExecutorGetTheThreadInTheEnd() {
        for (int i = 0; i < 100; i++) {
            submit(1, "a" + i);
        }
        executor.execute(() -> ran.add("somebody else"));
        executor.runAll();
        assertThat(ran).hasSize(101);
        assertThat(ran.indexOf("somebody else")).isBetween(4, 7); // tasks of 2 ms in a shift of 10 ms
    }
}
