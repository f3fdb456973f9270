package dev.lanekeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.KeyOrderLedger.Kind;
import dev.lanekeeper.testkit.KeyOrderLedger.Violation;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeyOrderLedgerTest {
    private final KeyOrderLedger<String> ledger = new KeyOrderLedger<>();

    @Test
    void anOrderlyRunIsClean() {
        send("a", 1, 2, 3);
        send("b", 1, 2);
        ledger.started("a", 1, "x");
        ledger.started("b", 1, "y");
        ledger.ended("a", 1, "x");
        ledger.ended("b", 1, "y");
        handle("x", "a", 2, 3);
        handle("y", "b", 2);

        assertThatCode(ledger::assertClean).doesNotThrowAnyException();
        assertThat(ledger.comparisons()).isEqualTo(6); // each of 3 pairs, once as it began and once as it ended
        assertThat(ledger.peakInProgress()).isEqualTo(2);
        assertThat(ledger.isComplete()).isTrue();
    }

    @Test
    void findsAnOverlapEvenInTheRightOrder() {
        send("a", 1, 2);
        ledger.started("a", 1, "x");
        ledger.started("a", 2, "y");
        ledger.ended("a", 1, "x");
        ledger.ended("a", 2, "y");

        assertThat(kinds()).containsExactly(Kind.OVERLAP);
        assertReportNames("OVERLAP", "key a", "2 by y", "1 by x");
    }

    @Test
    void findsAnOverlapOfOneLifeWithItself() {
        send("a", 1, 2);
        ledger.started("a", 1, "x");
        ledger.started("a", 2, "x");
        ledger.ended("a", 2, "x");
        ledger.ended("a", 1, "x");

        assertThat(kinds()).containsExactly(Kind.OVERLAP, Kind.EFFECT_ORDER);
    }

    @Test
    void findsASwapWithinALife() {
        send("a", 1, 2, 3);
        handle("x", "a", 1, 3, 2);

        assertThat(kinds()).containsExactly(Kind.START_ORDER, Kind.EFFECT_ORDER);
        assertReportNames("START_ORDER", "key a", "x took 2 after it had taken 3");
    }

    @Test
    void findsASwapBetweenLives() {
        send("a", 1, 2);
        handle("x", "a", 2);
        handle("y", "a", 1);

        assertThat(kinds()).containsExactly(Kind.EFFECT_ORDER);
        assertReportNames("1 by y ended only after 2 by x");
    }

    @Test
    void oneLateMessageIsOneBreach() {
        send("a", 1, 2, 3, 4);
        handle("x", "a", 2);
        handle("y", "a", 1);
        handle("z", "a", 3, 4);

        assertThat(kinds()).containsExactly(Kind.EFFECT_ORDER);
    }

    @Test
    void findsALossAtTheEndAndInTheMiddle() {
        send("a", 1, 2, 3, 4);
        handle("x", "a", 1, 3);

        assertThat(ledger.isComplete()).isFalse();
        assertThat(ledger.violations()).extracting(Violation::position).containsExactly(2L, 4L);
        assertThat(kinds()).containsOnly(Kind.LOST);
        assertReportNames("LOST", "2 was sent and never ended");
    }

    @Test
    void whatBeganAndNeverEndedIsLostAndItsHolderNamed() {
        send("a", 1, 2);
        handle("x", "a", 1);
        ledger.started("a", 2, "y");

        assertThat(kinds()).containsExactly(Kind.LOST);
        assertReportNames("still running: [2 by y]");
    }

    @Test
    void findsAKeyThatWasNeverHandled() {
        send("a", 1, 2);
        send("b", 1);
        handle("x", "a", 1, 2);

        assertThat(ledger.violations()).extracting(Violation::key).containsExactly("b");
    }

    @Test
    void findsADuplicateInOneLifeAndInTwo() {
        send("a", 1, 2);
        handle("x", "a", 1, 1, 2);
        handle("y", "a", 2);

        assertThat(kinds()).containsExactly(Kind.START_ORDER, Kind.DUPLICATE, Kind.DUPLICATE);
    }

    @Test
    void allowedRedeliveryIsCountedAndStillKeptInOrder() {
        send("a", 1, 2, 3);
        handle("x", "a", 1, 2);
        ledger.allowRedelivery();
        handle("y", "a", 1, 2, 3);

        assertThatCode(ledger::assertClean).doesNotThrowAnyException();
        assertThat(ledger.redelivered()).isEqualTo(2);

        handle("z", "a", 2, 1);
        assertThat(kinds()).containsExactly(Kind.START_ORDER);
    }

    @Test
    void findsWhatWasNeverSent() {
        send("a", 1, 2);
        handle("x", "a", 1, 2, 7);

        assertThat(kinds()).containsExactly(Kind.UNKNOWN);
    }

    @Test
    void findsAnEndWithoutABeginning() {
        send("a", 1, 2);
        handle("x", "a", 1);
        ledger.ended("a", 2, "x");

        assertThat(kinds()).containsExactly(Kind.NOT_STARTED);
    }

    @Test
    void aRetryIsNeitherDuplicateNorOutOfOrder() {
        send("a", 1, 2);
        ledger.started("a", 1, "x");
        ledger.failed("a", 1, "x");
        handle("x", "a", 1, 2);

        assertThatCode(ledger::assertClean).doesNotThrowAnyException();
    }

    @Test
    void aRetryThatLetsTheNextMessageOvertakeIsFound() {
        send("a", 1, 2);
        ledger.started("a", 1, "x");
        ledger.failed("a", 1, "x");
        handle("x", "a", 2, 1);

        assertThat(kinds()).containsExactly(Kind.START_ORDER, Kind.EFFECT_ORDER);
    }

    @Test
    void aDeadLifeReleasesWhatItHeld() {
        send("a", 1, 2);
        ledger.started("a", 1, "x");
        ledger.lifeEnded("x");
        handle("y", "a", 1, 2);

        assertThatCode(ledger::assertClean).doesNotThrowAnyException();
    }

    @Test
    void aLifeThatOnlySeemsDeadStillOverlaps() {
        send("a", 1, 2);
        ledger.started("a", 1, "x");
        handle("y", "a", 1, 2);
        ledger.lifeEnded("x");

        assertThat(kinds()).containsExactly(Kind.OVERLAP, Kind.OVERLAP);
    }

    @Test
    void aLedgerThatComparedNothingFails() {
        assertThatThrownBy(ledger::assertClean)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("proves nothing");
        for (String key : List.of("a", "b", "c")) {
            send(key, 1);
            handle("x", key, 1);
        }
        assertThatThrownBy(ledger::assertClean)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("proves nothing: 3 keys, 0 comparisons");
    }

    @Test
    void aLedgerThatWasNotToldWhatWasSentFails() {
        handle("x", "a", 1, 2, 3);
        assertThatThrownBy(ledger::assertClean)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("proves nothing");
    }

    @Test
    void sendingOutOfOrderIsRefused() {
        send("a", 5);
        assertThatThrownBy(() -> ledger.sent("a", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key a")
                .hasMessageContaining("5");
    }

    @Test
    void aLongReportIsCutAndCounted() {
        for (int position = 0; position < 100; position++) {
            ledger.sent("a", position);
        }
        assertReportNames("broken 100 times", "and 80 more");
    }

    @Test
    void findsARealRaceOfThreads() throws InterruptedException {
        int threads = 4;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch together = new CountDownLatch(threads);
        for (int thread = 0; thread < threads; thread++) {
            long position = thread;
            ledger.sent("a", position);
            pool.execute(() -> {
                ledger.started("a", position, Thread.currentThread().getName());
                together.countDown();
                await(together);
                ledger.ended("a", position, Thread.currentThread().getName());
            });
        }
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();

        assertThat(kinds()).contains(Kind.OVERLAP);
        assertThat(ledger.peakInProgress()).isEqualTo(threads);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(String key, long... positions) {
        for (long position : positions) {
            ledger.sent(key, position);
        }
    }

    private void handle(String by, String key, long... positions) {
        for (long position : positions) {
            ledger.started(key, position, by);
            ledger.ended(key, position, by);
        }
    }

    private List<Kind> kinds() {
        return ledger.violations().stream().map(Violation::kind).toList();
    }

    private void assertReportNames(String... parts) {
        assertThatThrownBy(ledger::assertClean)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(parts);
    }
}
