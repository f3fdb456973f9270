package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Pauses over 64 threads, 100,000 keys and bodies that block for a millisecond: nothing runs inside a pause, nothing is lost,
 * nothing runs out of turn, and after the last pause work goes on. How long it takes and how fast it goes on is measured by the
 * benchmark {@code gate.PauseUnderLoad}.
 */
class PauseUnderFullLoadTest {
    private static final int THREADS = 64;
    private static final int KEYS = 100_000;
    private static final int STRIDE = 7;
    private static final int IN_LINE = 2 * THREADS;
    private static final int PAUSES = 100;
    private static final long BODY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    private final Lanes<Integer> lanes = Lanes.<Integer>builder().executor(pool).build();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicBoolean pausing = new AtomicBoolean();
    private final AtomicInteger metAPause = new AtomicInteger();
    private final AtomicInteger outOfTurn = new AtomicInteger();
    private final AtomicInteger executed = new AtomicInteger();
    private final AtomicIntegerArray turns = new AtomicIntegerArray(KEYS);
    private final AtomicInteger submitted = new AtomicInteger();

    @Test
    void nothingRunsInsideAPauseNothingIsLostAndWorkGoesOn() throws Exception {
        load(KEYS, asked -> asked.join());

        assertThat(metAPause).as("ran inside a pause").hasValue(0);
        assertThat(outOfTurn).hasValue(0);
        assertThat(executed).hasValue(submitted.get());
        assertThat(submitted).hasValueGreaterThanOrEqualTo(KEYS);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void aPauseThatIsNotWaitedForIsFound() throws Exception {
        load(KEYS / 10, asked -> () -> asked.join().close());

        assertThat(metAPause).hasPositiveValue();
        assertThat(executed).hasValue(submitted.get());
    }

    private void load(int tasks, Function<CompletableFuture<Pause>, Pause> granted) throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        Semaphore room = new Semaphore(IN_LINE);
        Thread producer = new Thread(() -> {
            while (!enough.get() || submitted.get() < tasks) {
                room.acquireUninterruptibly();
                int turn = submitted.incrementAndGet();
                int key =
                        turn / 2 * STRIDE % KEYS; // all of them, each twice in a row, so that there is an order to lose
                CompletableFuture<?> unused =
                        lanes.submit(key, () -> body(key, turn)).thenRun(room::release);
            }
        });
        producer.start();
        for (int i = 0; i < PAUSES; i++) {
            int before = executed.get();
            while (executed.get() < before + THREADS) { // it is under load again
                Thread.onSpinWait();
            }
            Pause pause = granted.apply(lanes.pause(PauseMode.RUNNING, LONG));
            pausing.set(true);
            metAPause.addAndGet(running.get());
            LockSupport.parkNanos(BODY_NANOS);
            metAPause.addAndGet(running.get());
            pausing.set(false);
            pause.close();
        }
        enough.set(true);
        Soon.ended(producer);
        Soon.closed(lanes);
        pool.shutdown();
    }

    private boolean body(int key, int turn) {
        running.incrementAndGet();
        metAPause.addAndGet(pausing.get() ? 1 : 0);
        LockSupport.parkNanos(BODY_NANOS);
        metAPause.addAndGet(pausing.get() ? 1 : 0);
        outOfTurn.addAndGet(turns.getAndSet(key, turn) < turn ? 0 : 1);
        executed.incrementAndGet();
        running.decrementAndGet();
        return true;
    }
}
