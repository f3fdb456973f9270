package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.lanekeeper.lanes.LanesView.LaneLength;
import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an operator is told. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesViewTest {
    private final SteppingExecutor executor = new SteppingExecutor();
    private final Lanes<String> lanes =
            Lanes.<String>builder().executor(executor).build();
    private final LanesView<String> view = lanes.view();

    private void assertFigures(int live, int inFlight, long queued) {
        assertThat(view.live()).as("live").isEqualTo(live);
        assertThat(view.inFlight()).as("in flight").isEqualTo(inFlight);
        assertThat(view.queued()).as("queued").isEqualTo(queued);
    }

    @Test
    void nothingIsShownOfLanesWithoutTasks() {
        assertFigures(0, 0, 0);
        assertThat(view.longest(10)).isEmpty();

        lanes.submit("a", () -> true);
        executor.runAll();

        assertFigures(0, 0, 0);
    }

    @Test
    void aTaskIsQueuedThenInFlightThenGone() {
        lanes.submit("a", () -> {
            assertFigures(1, 1, 1);
            return true;
        });
        CompletableFuture<Boolean> last = lanes.submit("a", () -> {
            assertFigures(1, 1, 0);
            return true;
        });
        assertFigures(1, 0, 2);

        executor.runAll();

        assertThat(last).isCompleted();
        assertFigures(0, 0, 0);
    }

    @Test
    void anOpenStageIsInFlightUntilItCompletes() {
        CompletableFuture<Boolean> open = new CompletableFuture<>();
        lanes.submitAsync("a", () -> open);
        lanes.submit("a", () -> true);
        lanes.submit("b", () -> true);
        assertFigures(2, 0, 3);
        executor.runAll();
        assertFigures(1, 1, 1);
        assertThat(view.longest(1)).containsExactly(new LaneLength<>("a", 2, true));

        open.complete(true);
        assertFigures(1, 0, 1);
        executor.runAll();

        assertFigures(0, 0, 0);
    }

    @Test
    void aTicketThatIsRearmedIsInFlightBetweenItsStarts() {
        Ticket<String> ticket = new Ticket<>() {
            @Override
            protected void start() {}
        };
        lanes.enqueue("a", ticket);
        executor.runAll();
        assertFigures(1, 1, 0);

        ticket.rearm();
        assertThat(view.live()).isEqualTo(1);
        executor.runAll();
        assertFigures(1, 1, 0);
        ticket.settle();

        assertFigures(0, 0, 0);
    }

    /** An engine knows its own tickets again, with what waits behind each; a bulk holds several lanes. */
    @Test
    void ticketsThatHoldLanesAreNamedForEach() {
        Ticket<String> single = new Ticket<>() {
            @Override
            protected void start() {
                assertThat(view.held().get(0).thread())
                        .contains(Thread.currentThread().getName());
            }
        };
        lanes.enqueue("a", single);
        lanes.submit("a", () -> true);
        assertThat(view.held()).isEmpty();
        executor.runAll();
        assertThat(view.held()).containsExactly(new LanesView.Held<>("a", single, Optional.empty(), 1));

        Ticket<String> bulk = new Ticket<>() {
            @Override
            protected void start() {}
        };
        lanes.enqueueAll(List.of("b", "c"), bulk);
        executor.runAll();
        assertThat(view.held())
                .extracting(LanesView.Held::key, LanesView.Held::ticket)
                .containsExactlyInAnyOrder(tuple("a", single), tuple("b", bulk), tuple("c", bulk));
        single.settle();
        bulk.settle();
        executor.runAll();
        assertThat(view.held()).isEmpty();
    }

    @Test
    void aHoldThatNobodyTimedIsAsOldAsTheFirstLookAtIt() throws Exception {
        ManualClock clock = new ManualClock();
        Lanes<String> untimed =
                Lanes.<String>builder().executor(executor).clock(clock.nanos()).build();
        Hold hold = untimed.hold("a");
        clock.advance(Duration.ofSeconds(1));
        assertThat(untimed.view().blockers()).extracting(Blocker::age).containsExactly(Duration.ZERO);

        clock.advance(Duration.ofSeconds(2));

        assertThat(untimed.view().blockers()).extracting(Blocker::age).containsExactly(Duration.ofSeconds(2));
        hold.close();
        assertThat(untimed.view().blockers()).isEmpty();
    }

    @Test
    void theLongestLanesComeFirst() {
        for (int key = 1; key <= 9; key++) {
            for (int i = 0; i < key; i++) {
                lanes.submitAsync("k" + key, CompletableFuture::new);
            }
        }
        executor.runAll();

        assertThat(view.longest(3))
                .containsExactly(
                        new LaneLength<>("k9", 9, true),
                        new LaneLength<>("k8", 8, true),
                        new LaneLength<>("k7", 7, true));
        assertThat(view.longest(3)).extracting(LaneLength::queued).containsExactly(8, 7, 6);
        assertThat(view.longest(0)).isEmpty();
        assertThat(view.longest(100)).hasSize(9);
        assertThatThrownBy(() -> view.longest(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertFigures(9, 9, 36);
    }

    @Test
    void aMillionLiveLanesCanStillBeLookedAt() {
        Lanes<Integer> many = Lanes.<Integer>builder().executor(task -> {}).build();
        for (int key = 0; key < 1_000_000; key++) {
            many.enqueue(key, new Ticket<>() {
                @Override
                protected void start() {}
            });
        }

        // not a measure: only to notice if looking took more than one walk
        assertTimeout(Duration.ofSeconds(20), () -> {
            assertThat(many.view().live()).isEqualTo(1_000_000);
            assertThat(many.view().inFlight()).isZero();
            assertThat(many.view().queued()).isEqualTo(1_000_000);
            assertThat(many.view().longest(5)).hasSize(5);
            assertThat(many.onTaskThread()).isFalse();
        });
    }
}
