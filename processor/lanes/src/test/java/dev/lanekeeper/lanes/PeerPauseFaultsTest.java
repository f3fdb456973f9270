package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Faults that others had with pauses, and that are not tested elsewhere here: {@code docs/peer-faults.md} has all of them. The
 * name says whose fault it was, the test what is right.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class PeerPauseFaultsTest extends PauseScene {
    @Test
    @DisplayName("pekko#3365: what had been completed while nobody asked for it was never handed on afterwards")
    void whatEndsWhileAPauseIsOnIsFollowedByAllThatWaits() throws Exception {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        for (int key = 0; key < 50; key++) {
            open.add(running("key " + key));
            for (int i = 0; i < 20; i++) { // and a line behind each
                task("key " + key);
            }
        }
        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);
        executor.runAll();
        assertThat(pause).isNotDone();

        open.forEach(each -> each.complete(null));
        executor.runAll();
        assertThat(ran).isEmpty();
        Soon.result(pause).close();
        executor.runAll();

        assertThat(ran).hasSize(1_000);
        assertNothingIsLeft();
    }

    @Test
    @DisplayName("spring-kafka#813 and its kin: a pause was lost when what it covered went away and came back")
    void aPauseHoldsForLanesThatGoAndComeBackInsideIt() throws Exception {
        CompletableFuture<Void> end = running("a");
        CompletableFuture<Boolean> cancelled = task("a");
        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);
        end.complete(null);
        cancelled.cancel(false);
        executor.runAll();
        Pause held = Soon.result(pause);

        for (int i = 0; i < 10; i++) { // a lane is born, given up and born again
            CompletableFuture<Hold> hold = lanes.acquire("a");
            hold.cancel(false);
            task("a");
            executor.runAll();
        }
        assertThat(ran).isEmpty();
        held.close();
        executor.runAll();

        assertThat(ran).hasSize(10);
        assertNothingIsLeft();
    }

    @Test
    @DisplayName(
            "elasticsearch#18553: work that was counted here waited for work there, where all waited for here to drain")
    void twoPausesThatWaitForEachOtherThroughATaskEndAfterTheTimeoutAndNameIt() throws Exception {
        Lanes<String> there = Lanes.<String>builder().executor(executor).build();
        Pause heldThere = Soon.result(there.pause(PauseMode.RUNNING, MINUTE));
        CompletableFuture<Boolean> remote = lanes.submitAsync("here", () -> there.submit("there", () -> true));
        executor.runAll();

        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING); // and only then the one there would be given back
        task("other");
        clock.advance(MINUTE);
        assertThat(Soon.failure(pause))
                .isInstanceOf(PauseTimeoutException.class)
                .hasMessageContaining("here");
        executor.runAll();
        assertThat(ran).containsExactly("other");
        heldThere.close();
        executor.runAll();

        assertThat(remote).isCompletedWithValue(true);
        assertNothingIsLeft();
    }

    @Test
    @DisplayName("elasticsearch#35999, #32442: a second block while one was on was refused, or forgotten")
    void manyPausesAskedForAtOnceAreAllHeldOneAfterAnother() throws Exception {
        CompletableFuture<Void> end = running("a");
        List<CompletableFuture<Pause>> asked = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            asked.add(pause(i % 3 == 0 ? PauseMode.SUBMITTED : PauseMode.RUNNING));
            task("a");
        }
        end.complete(null);

        for (CompletableFuture<Pause> each : asked) {
            executor.runAll();
            assertThat(asked).filteredOn(CompletableFuture::isDone).containsOnlyOnce(each);
            int before = ran.size();
            executor.runAll();
            assertThat(ran).hasSize(before);
            Soon.result(each).close();
        }
        executor.runAll();
        assertThat(ran).hasSize(100);
        assertNothingIsLeft();
    }
}
