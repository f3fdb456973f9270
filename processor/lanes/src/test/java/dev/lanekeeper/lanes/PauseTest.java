package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Pauses, step by step: one thread, and a clock that stands until it is moved. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class PauseTest extends PauseScene {
    @Test
    void whenNothingRunsAPauseIsHeldAtOnce() throws Exception {
        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);

        assertThat(pause).isCompleted();
        task("of a key that nobody has used before");
        executor.runAll();
        assertThat(ran).isEmpty();

        Soon.result(pause).close();
        executor.runAll();

        assertThat(ran).hasSize(1);
        assertNothingIsLeft();
    }

    @Test
    void whatRunsEndsAndWhatIsInLineWaits() throws Exception {
        CompletableFuture<Void> end = running("a");
        task("a");
        task("b");

        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);
        executor.runAll();
        assertThat(pause).isNotDone();
        end.complete(null);
        executor.runAll();

        assertThat(pause).isCompleted();
        assertThat(ran).isEmpty();
        Soon.result(pause).close();
        executor.runAll();
        assertThat(ran).containsExactlyInAnyOrder("a", "b");
        assertNothingIsLeft();
    }

    @Test
    void whatWasSubmittedEndsFirstIfThatIsAskedFor() throws Exception {
        CompletableFuture<Void> end = running("a");
        task("a");
        task("b");

        CompletableFuture<Pause> pause = pause(PauseMode.SUBMITTED);
        task("c");
        executor.runAll();
        assertThat(ran).containsExactlyInAnyOrder("b", "c");
        assertThat(pause).isNotDone();
        end.complete(null);
        executor.runAll();

        assertThat(pause).isCompleted();
        assertThat(ran).containsExactlyInAnyOrder("b", "c", "a");
        task("d");
        executor.runAll();
        assertThat(ran).hasSize(3);
        Soon.result(pause).close();
        assertNothingIsLeft();
        assertThat(ran).hasSize(4);
    }

    @Test
    void holdsAndBulksAreWaitedForAndWait() throws Exception {
        Hold hold = lanes.hold("a");
        Hold several = Soon.result(lanes.acquireAll(List.of("b", "c")));
        CompletableFuture<Hold> ofNoLanes = lanes.acquireAll(List.of());
        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);
        CompletableFuture<Hold> later = lanes.acquire("d");
        hold.close();
        several.close();
        assertThat(pause).isNotDone();
        Soon.result(ofNoLanes).close();

        assertThat(pause).isCompleted();
        executor.runAll();
        assertThat(later).isNotDone();
        assertThatThrownBy(() -> lanes.hold("e", Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);

        Soon.result(pause).close();
        executor.runAll();
        Soon.result(later).close();
        assertNothingIsLeft();
    }

    @Test
    void aTicketThatStandsByIsNotWaitedForUntilItIsStartedAgain() throws Exception {
        List<String> starts = new ArrayList<>();
        Ticket<String> ticket = new Ticket<>() {
            @Override
            protected void start() {
                starts.add("start");
            }
        };
        lanes.enqueue("a", ticket);
        executor.runAll();
        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);
        assertThat(pause).isNotDone();

        ticket.standBy();
        assertThat(pause).as("nothing of it is going on").isCompleted();
        assertThat(lanes.view().blockers()).as("it still has its lane").hasSize(1);
        ticket.rearm();
        executor.runAll();
        assertThat(starts).hasSize(1);
        Soon.result(pause).close();
        executor.runAll();

        assertThat(starts).hasSize(2);
        ticket.settle();
        assertNothingIsLeft();
    }

    @Test
    void pausesComeOneAfterAnotherAndWorkRunsBetweenThem() throws Exception {
        CompletableFuture<Pause> first = pause(PauseMode.RUNNING);
        task("a");
        CompletableFuture<Pause> second = pause(PauseMode.RUNNING);
        CompletableFuture<Pause> third = pause(PauseMode.SUBMITTED);
        task("b");
        executor.runAll();
        assertThat(second).isNotDone();

        Soon.result(first).close();
        executor.runAll();
        assertThat(ran).as("before the second").containsExactlyInAnyOrder("a", "b");
        assertThat(second).isCompleted();
        assertThat(third).isNotDone();
        task("c");
        Soon.result(second).close();
        executor.runAll();

        assertThat(ran).hasSize(3);
        assertThat(third).isCompleted();
        Soon.result(third).close();
        assertNothingIsLeft();
    }

    @Test
    void aSecondReleaseIsReportedAndDoesNotEndTheNextPause() throws Exception {
        Pause first = Soon.result(pause(PauseMode.RUNNING));
        CompletableFuture<Pause> second = pause(PauseMode.RUNNING);
        Thread other = new Thread(first::close);
        other.start();
        Soon.ended(other);
        executor.runAll();
        assertThat(second).isCompleted();

        assertThatThrownBy(first::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this pause was released before");
        task("a");
        executor.runAll();
        assertThat(ran).isEmpty();

        Soon.result(second).close();
        assertNothingIsLeft();
    }

    @Test
    void aTaskThatAsksForAPauseIsRefused() throws Exception {
        CompletableFuture<?> asked = lanes.submit("a", () -> pause(PauseMode.RUNNING));
        CompletableFuture<?> ran = lanes.submitAll(List.of("a", "b"), () -> lanes.runExclusively(() -> 1, MINUTE));
        executor.runAll();

        assertThat(Soon.failure(asked))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the task of lane a asks for a pause, which would wait for that task;"
                        + " ask for it when the task has ended");
        assertThat(Soon.failure(ran)).hasMessageStartingWith("the task of lane [a, b] asks for a pause");
        assertThat(pause(PauseMode.RUNNING)).isCompleted();
    }

    @Test
    void aBodyRunsAloneAndGivesItsResultOrFailure() throws Exception {
        task("a");
        String result = lanes.runExclusively(
                () -> {
                    executor.runAll();
                    return "alone with " + ran.size();
                },
                MINUTE);
        assertThat(result).isEqualTo("alone with 0");
        assertThatThrownBy(() -> lanes.runExclusively(
                        () -> {
                            throw new IllegalArgumentException("bad");
                        },
                        MINUTE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bad");
        executor.runAll();

        assertThat(ran).containsExactly("a");
    }

    @Test
    void aBodyThatRunsAloneMustNotWaitForWhatWaitsForIt() throws Exception {
        lanes.runExclusively(
                () -> {
                    CompletableFuture<Boolean> submitted = task("a");
                    assertThatThrownBy(submitted::join)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("waits for lane a");
                    assertThatThrownBy(() -> lanes.hold("b")).isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(() -> lanes.hold("b", MINUTE)).isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(() -> pause(PauseMode.RUNNING)).isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(() -> lanes.runExclusively(() -> 1, MINUTE))
                            .isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(() -> lanes.close(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
                    return true;
                },
                MINUTE);

        assertNothingIsLeft();
        assertThat(ran).containsExactly("a");
    }

    @Test
    void aPauseWorksWithAnExecutorThatRefuses() throws Exception {
        boolean[] full = new boolean[1];
        Lanes<String> refusing = Lanes.<String>builder()
                .executor(task -> {
                    if (full[0]) {
                        throw new RejectedExecutionException("full");
                    }
                    executor.execute(task);
                })
                .build();
        CompletableFuture<Pause> first = refusing.pause(PauseMode.RUNNING, MINUTE);
        CompletableFuture<Pause> second = refusing.pause(PauseMode.RUNNING, MINUTE);
        full[0] = true;
        CompletableFuture<Boolean> task = refusing.submit("a", () -> true);

        Soon.result(first).close();

        assertThat(Soon.failure(task)).isInstanceOf(RejectedExecutionException.class);
        assertThat(second).isCompleted();
        Soon.result(second).close();
        full[0] = false;
        CompletableFuture<Boolean> last = refusing.submit("a", () -> true);
        executor.runAll();
        assertThat(last).isCompleted();
        Soon.closed(refusing);
    }
}
