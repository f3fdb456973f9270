package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way into a lane before every other: the second waits for the first, and nothing is left. In vert.x (#5764) one of several
 * ways ignored the order for years after a change, and in kpipe's builder (#137) one more mode was lost.
 */
@SuppressWarnings("FutureReturnValueIgnored") // when tasks begin and end matters, not what they give
class EntryPointsTest {
    private final SteppingExecutor executor = new SteppingExecutor();
    private final Lanes<String> lanes =
            Lanes.<String>builder().executor(executor).build();
    private final List<String> begun = new ArrayList<>();

    /** Brings something of this name to lane "a"; the future it gives ends it, once it has begun. */
    private interface Way {
        CompletableFuture<Void> bring(EntryPointsTest to, String name);
    }

    @SuppressWarnings("ImmutableEnumChecker") // a way keeps nothing
    private enum Entry {
        SUBMIT((to, name) -> {
            CompletableFuture<Void> end = CompletableFuture.completedFuture(null); // it can't last on one thread
            to.lanes.submit("a", () -> to.begun.add(name));
            return end;
        }),
        SUBMIT_ASYNC((to, name) -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            to.lanes.submitAsync("a", () -> to.begin(name, end));
            return end;
        }),
        SUBMIT_ALL((to, name) -> {
            CompletableFuture<Void> end = CompletableFuture.completedFuture(null);
            to.lanes.submitAll(List.of("a", "of " + name), () -> to.begun.add(name));
            return end;
        }),
        SUBMIT_ALL_ASYNC((to, name) -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            to.lanes.submitAllAsync(List.of("of " + name, "a"), () -> to.begin(name, end));
            return end;
        }),
        ACQUIRE((to, name) -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            to.lanes.acquire("a").thenAccept(hold -> to.begin(name, end).thenRun(hold::close));
            return end;
        }),
        ACQUIRE_ALL((to, name) -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            to.lanes
                    .acquireAll(List.of("a", "of " + name, "a"))
                    .thenAccept(hold -> to.begin(name, end).thenRun(hold::close));
            return end;
        }),
        ENQUEUE((to, name) -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            to.lanes.enqueue("a", to.ticket(name, end));
            return end;
        }),
        ENQUEUE_ALL((to, name) -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            to.lanes.enqueueAll(List.of("of " + name, "a"), to.ticket(name, end));
            return end;
        });

        private final Way way;

        Entry(Way way) {
            this.way = way;
        }
    }

    private CompletableFuture<Void> begin(String name, CompletableFuture<Void> end) {
        begun.add(name);
        return end;
    }

    private Ticket<String> ticket(String name, CompletableFuture<Void> end) {
        return new Ticket<>() {
            @Override
            protected void start() {
                begin(name, end).thenRun(this::settle);
            }
        };
    }

    static Stream<Arguments> pairs() {
        return Arrays.stream(Entry.values())
                .flatMap(first -> Arrays.stream(Entry.values()).map(second -> Arguments.of(first, second)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @DisplayName("vert.x#5764, kpipe#137: one of several ways in ignored the order")
    void whateverComesSecondWaitsForWhateverCameFirst(Entry first, Entry second) throws Exception {
        Hold before = lanes.hold("a", Duration.ZERO);
        CompletableFuture<Void> endOfFirst = first.way.bring(this, "first");
        CompletableFuture<Void> endOfSecond = second.way.bring(this, "second");
        executor.runAll();
        assertThat(begun).isEmpty();

        before.close();
        executor.runAll();
        if (!endOfFirst.isDone()) {
            assertThat(begun).containsExactly("first");
        }

        endOfFirst.complete(null);
        executor.runAll();
        assertThat(begun).containsExactly("first", "second");
        endOfSecond.complete(null);
        executor.runAll();
        assertThat(lanes.view().live()).isZero();
    }
}
