package dev.lanekeeper.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Faults that caches and single flights of others had, and that are not tested elsewhere here: {@code docs/peer-faults.md} has
 * all of them. The name says whose fault it was, the test what is right.
 */
@SuppressWarnings("FutureReturnValueIgnored") // not all are waited for
class PeerFlightFaultsTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    /** All in one bin of any map. */
    private record Colliding(int id) {
        @Override
        public int hashCode() {
            return 7;
        }
    }

    @Test
    @DisplayName(
            "caffeine#729, #960: a computation inside a map's compute came back to the map: livelock, recursive update")
    void computationsOfKeysInOneBinMayAskForEachOther() {
        SingleFlight<Colliding, Integer> flight = SingleFlight.on(Runnable::run); // right inside get

        assertThat(sumUpTo(flight, 100).join()).isEqualTo(5_050);
        assertThat(flight.underWay()).isZero();
    }

    private static CompletableFuture<Integer> sumUpTo(SingleFlight<Colliding, Integer> flight, int id) {
        return flight.get(
                new Colliding(id),
                key -> key.id() == 0
                        ? 0
                        : key.id() + sumUpTo(flight, key.id() - 1).join());
    }

    @Test
    @DisplayName("fdb-record-layer#953: who asked for one key waited for the computation of another in the same bin")
    void aComputationThatTakesLongBlocksNoOtherKeyOfItsBin() throws Exception {
        SingleFlight<Colliding, String> flight = SingleFlight.on(pool);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> slow = flight.get(new Colliding(1), key -> {
            begun.countDown();
            try {
                return end.await(30, TimeUnit.SECONDS) ? "slow" : "too slow";
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        for (int id = 2; id < 100; id++) {
            int its = id;
            assertThat(flight.get(new Colliding(id), key -> "quick " + its).get(30, TimeUnit.SECONDS))
                    .isEqualTo("quick " + id);
        }
        assertThat(slow).isNotDone();
        end.countDown();
        assertThat(slow.get(30, TimeUnit.SECONDS)).isEqualTo("slow");
    }

    @Test
    @DisplayName(
            "quarkus#56648, caffeine#290, #396: who saw a failure and tried again was given the old failure once more")
    void whoTriesAgainInTheMomentOfAFailureGetsANewComputation() throws Exception {
        SingleFlight<String, Integer> flight = SingleFlight.on(pool);
        for (int round = 0; round < 2_000; round++) {
            AtomicInteger attempts = new AtomicInteger();
            CompletableFuture<Integer> second = flight.get("a", key -> failing(attempts))
                    .handle((value, failure) -> flight.get("a", key -> failing(attempts)))
                    .thenCompose(each -> each);

            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(2);
        }
        assertThat(flight.underWay()).isZero();
    }

    /** At the first attempt only. */
    private static int failing(AtomicInteger attempts) {
        int attempt = attempts.incrementAndGet();
        if (attempt == 1) {
            throw new IllegalStateException("the first");
        }
        return attempt;
    }

    @Test
    @DisplayName(
            "caffeine#870, aedile#57, elasticsearch#157457: one caller's cancellation or timeout cancelled it for all")
    void whateverACallerDoesToItsFutureIsItsOwnAffair() {
        SteppingExecutor executor = new SteppingExecutor();
        SingleFlight<String, String> flight = SingleFlight.on(executor);
        CompletableFuture<String> first = flight.get("a", key -> "the value");
        CompletableFuture<String> stays = flight.get("a", key -> "not asked");
        CompletableFuture<String> fails = flight.get("a", key -> "not asked");
        CompletableFuture<String> spoilt = flight.get("a", key -> "not asked");

        first.cancel(true);
        fails.completeExceptionally(new IllegalStateException("of its own"));
        spoilt.obtrudeValue("spoilt");
        executor.runAll();

        assertThat(stays).isCompletedWithValue("the value");
        assertThat(first).isCancelled();
        assertThatThrownBy(fails::join).isInstanceOf(CompletionException.class).hasMessageContaining("of its own");
        assertThat(flight.underWay()).isZero();
    }
}
