package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Work that holds several lanes at once; one thread, so that who comes first is known. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class BulkTest {
    private final SteppingExecutor executor = new SteppingExecutor();
    private final Lanes<String> lanes =
            Lanes.<String>builder().executor(executor).bulkLimit(3).build();
    private final List<String> ran = new ArrayList<>();

    private CompletableFuture<Boolean> single(String key, String name) {
        return lanes.submit(key, () -> ran.add(name));
    }

    private CompletableFuture<Boolean> bulk(String name, String... keys) {
        return lanes.submitAll(List.of(keys), () -> ran.add(name));
    }

    private void assertNothingIsLeft() {
        executor.runAll();
        assertThat(lanes.view().live()).isZero();
        assertThat(lanes.view().blockers()).isEmpty();
    }

    @Test
    void theOrderOfArrivalIsKeptInEveryLane() {
        single("a", "a1");
        bulk("ab", "b", "a");
        single("a", "a2");
        single("b", "b2");
        bulk("bc", "c", "b");
        single("c", "c2");
        single("b", "b3");

        executor.runAll();

        assertThat(ran).hasSize(7);
        assertThat(ran).containsSubsequence("a1", "ab", "a2");
        assertThat(ran).containsSubsequence("ab", "b2", "bc", "b3");
        assertThat(ran).containsSubsequence("bc", "c2");
        assertNothingIsLeft();
    }

    @Test
    void aKeyNamedTwiceCountsOnce() throws Exception {
        CompletableFuture<Boolean> bulk = bulk("bulk", "a", "b", "a", "b", "a", "c");
        executor.runAll();

        assertThat(Soon.result(bulk)).isTrue();
        assertNothingIsLeft();
    }

    @Test
    void aBulkOfOneKeyIsAsGoodAsASingleTask() {
        single("a", "first");
        bulk("bulk", "a");
        single("a", "last");
        executor.runAll();

        assertThat(ran).containsExactly("first", "bulk", "last");
        assertNothingIsLeft();
    }

    @Test
    void aBulkOfNoKeysJustRuns() throws Exception {
        CompletableFuture<Boolean> bulk = bulk("bulk");
        CompletableFuture<Hold> hold = lanes.acquireAll(List.of());
        executor.runAll();

        assertThat(Soon.result(bulk)).isTrue();
        assertThat(lanes.view().blockers()).as("the hold of no lanes").hasSize(1);
        Soon.result(hold).close();
        assertThat(lanes.view().blockers()).isEmpty();
    }

    @Test
    void keysThatNobodyHasUsedAreHeldToo() {
        CompletableFuture<Void> open = new CompletableFuture<>();
        lanes.submitAllAsync(List.of("x", "y"), () -> open);
        executor.runAll();
        single("x", "x");
        single("y", "y");
        executor.runAll();
        assertThat(ran).isEmpty();
        assertThat(lanes.view().blockers()).singleElement().satisfies(blocker -> {
            assertThat(blocker.keys()).containsExactly("x", "y");
            assertThat(blocker.thread()).isEmpty();
        });

        open.complete(null);
        executor.runAll();

        assertThat(ran).containsExactlyInAnyOrder("x", "y");
        assertNothingIsLeft();
    }

    @Test
    void moreKeysThanTheLimitAreRefusedAndNoLaneIsTouched() {
        assertThatThrownBy(() -> bulk("too many", "a", "b", "c", "d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a bulk may hold at most 3 lanes, not 4");
        assertThatThrownBy(() -> lanes.acquireAll(List.of("a", "b", "c", "d")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Lanes.<String>builder().bulkLimit(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bulkLimit must be at least 1: 0");

        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void anOrderOfOnesOwnDecidesWhatIsOneKey() {
        record Customer(String name) {}
        Lanes<Customer> own = Lanes.builder(Comparator.comparing(Customer::name))
                .executor(executor)
                .build();
        CompletableFuture<Hold> hold = own.acquireAll(List.of(new Customer("b"), new Customer("a"), new Customer("b")));

        assertThat(hold).isCompleted();
        assertThat(own.view().blockers())
                .singleElement()
                .satisfies(blocker -> assertThat(blocker.keys()).containsExactly(new Customer("a"), new Customer("b")));
        hold.join().close();
        assertThat(own.view().live()).isZero();
    }

    @Test
    void cancelledWhileSomeOfItsLanesAreHeldForItABulkFreesThem() throws Exception {
        Hold b = lanes.hold("b");
        CompletableFuture<Boolean> bulk = bulk("bulk", "a", "b", "c");
        CompletableFuture<Hold> hold = lanes.acquireAll(List.of("a", "b", "c"));
        single("a", "a");
        single("c", "c");
        executor.runAll();
        assertThat(ran).as("a and c wait for the bulks, which wait for b").isEmpty();

        assertThat(bulk.cancel(false)).isTrue();
        assertThat(hold.cancel(false)).isTrue();
        executor.runAll();
        assertThat(ran).as("while b is still held").containsExactlyInAnyOrder("a", "c");

        b.close();
        assertNothingIsLeft();
    }

    @Test
    void aHoldOfSeveralLanesIsGivenBackOnce() throws Exception {
        CompletableFuture<Hold> first = lanes.acquireAll(List.of("b", "a"));
        CompletableFuture<Hold> second = lanes.acquireAll(List.of("a", "b"));
        executor.runAll();
        Hold held = Soon.result(first);
        assertThat(second).isNotDone();

        held.close();
        executor.runAll();

        assertThatThrownBy(held::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the hold of [a, b] was given back before");
        Soon.result(second).close();
        assertNothingIsLeft();
    }

    @Test
    void aFailedBulkFreesAllItsLanes() throws Exception {
        CompletableFuture<Object> bulk = lanes.submitAll(List.of("a", "b"), () -> {
            throw new IllegalArgumentException("bad");
        });
        executor.runAll();

        assertThat(Soon.failure(bulk)).hasMessage("bad");
        assertNothingIsLeft();
    }

    @Test
    void aTaskOfABulkMustNotWaitForAnyOfItsLanes() throws Exception {
        CompletableFuture<Hold> bulk = lanes.submitAll(List.of("a", "b"), () -> lanes.hold("b"));
        executor.runAll();

        assertThat(Soon.failure(bulk)).isInstanceOf(IllegalStateException.class);
        assertNothingIsLeft();
    }

    @Test
    void aLongLineOfCancelledBulksNeedsNoStack() throws Exception {
        Hold first = Soon.result(lanes.acquireAll(List.of("a", "b")));
        IntStream.range(0, 50_000)
                .forEach(i -> lanes.acquireAll(List.of("a", "b")).cancel(false));

        SmallStack.run(() -> {
            first.close();
            executor.runAll();
        });

        assertNothingIsLeft();
    }

    /**
     * A key without a hash if it is unlucky.
     *
     * @param number 13 is unlucky
     */
    private record Superstitious(int number) {
        @Override
        public int hashCode() {
            if (number == 13) {
                throw new IllegalStateException("13 has no hash");
            }
            return number;
        }
    }

    @Test
    void aKeyThatFailsLeavesNoLaneOfItsBulkBehind() {
        Lanes<Superstitious> wary = Lanes.builder(Comparator.comparingInt(Superstitious::number))
                .executor(executor)
                .build();

        assertThatThrownBy(() -> wary.submitAll(List.of(new Superstitious(1), new Superstitious(13)), () -> true))
                .hasMessage("13 has no hash");

        assertThat(wary.view().live()).isZero();
    }

    @Test
    void closedLanesRefuseBulksWithAndWithoutKeys() throws Exception {
        lanes.close(Duration.ofSeconds(30));

        assertThatThrownBy(() -> bulk("late", "a", "b")).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> bulk("late")).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> lanes.acquireAll(List.of())).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void closeWaitsForABulkWithoutKeys() throws Exception {
        CompletableFuture<Boolean> bulk = bulk("of no keys");
        assertThat(lanes.close(Duration.ofMillis(1))).isFalse();
        executor.runAll();

        assertThat(Soon.result(bulk)).isTrue();
        Soon.closed(lanes);
    }
}
