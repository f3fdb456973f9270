package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Singles, bulks, holds and pauses on real threads at once: nobody meets anybody on a key, or anything in a pause, and all
 * that was asked for happens. The same harness is put to lanes with a fault, which it has to find.
 */
class GateStressTest {
    private static final int KEYS = 6;
    private static final int PRODUCERS = 3;
    private static final int OPERATIONS_OF_EACH = 6_000;
    private static final int PAUSES = 120;

    private enum Fault {
        NONE,
        BULKS_FORGET_A_KEY,
        HOLDS_TAKE_ANOTHER_LANE,
        PAUSES_ARE_NOT_WAITED_FOR
    }

    private final AtomicIntegerArray inside = new AtomicIntegerArray(KEYS + 1);
    private final AtomicIntegerArray pausing = new AtomicIntegerArray(1);
    private final AtomicLong met = new AtomicLong();
    private final AtomicLong metAPause = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    @Test
    void nobodyMeetsAnybody() throws Exception {
        stress(Fault.NONE);

        assertThat(met).as("met on a key").hasValue(0);
        assertThat(metAPause).as("met a pause").hasValue(0);
        assertThat(done).as("done").hasValue((long) PRODUCERS * OPERATIONS_OF_EACH);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void eachFaultIsFound(Fault fault) throws Exception {
        stress(fault);

        assertThat(fault == Fault.PAUSES_ARE_NOT_WAITED_FOR ? metAPause : met).hasPositiveValue();
    }

    private void stress(Fault fault) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Lanes<Integer> lanes = Lanes.<Integer>builder().executor(pool).build();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> thrown = new ArrayList<>();
        for (int producer = 0; producer < PRODUCERS; producer++) {
            SplittableRandom random = new SplittableRandom(Seed.value() + producer);
            threads.add(new Thread(() -> produce(lanes, fault, random)));
        }
        threads.add(new Thread(() -> pauseAgainAndAgain(lanes, fault)));
        for (Thread thread : threads) {
            thread.setUncaughtExceptionHandler((dead, failure) -> {
                synchronized (thrown) {
                    thrown.add(failure);
                }
            });
            thread.start();
        }
        for (Thread thread : threads) {
            Soon.ended(thread);
        }
        Soon.closed(lanes);
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(thrown).isEmpty();
        assertThat(lanes.view().live()).isZero();
    }

    private void produce(Lanes<Integer> lanes, Fault fault, SplittableRandom random) {
        Semaphore room = new Semaphore(50);
        for (int i = 0; i < OPERATIONS_OF_EACH; i++) {
            room.acquireUninterruptibly();
            int key = random.nextInt(KEYS - 1);
            switch (random.nextInt(4)) {
                case 0 -> {
                    List<Integer> keys = List.of(key + 1, key);
                    List<Integer> held = fault == Fault.BULKS_FORGET_A_KEY ? keys.subList(0, 1) : keys;
                    whenDone(room, lanes.submitAll(held, () -> work(keys)));
                }
                case 1 -> {
                    int held = fault == Fault.HOLDS_TAKE_ANOTHER_LANE ? key + 100 : key;
                    whenDone(room, lanes.acquire(held).thenAccept(hold -> {
                        work(List.of(key));
                        hold.close();
                    }));
                }
                default -> whenDone(room, lanes.submit(key, () -> work(List.of(key))));
            }
        }
        room.acquireUninterruptibly(50);
    }

    private void whenDone(Semaphore room, CompletableFuture<?> future) {
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> {
            done.addAndGet(failure == null ? 1 : 0);
            room.release();
        });
    }

    @SuppressWarnings("ThreadPriorityCheck") // a yield gives faults room
    private boolean work(List<Integer> keys) {
        inside.incrementAndGet(KEYS);
        for (int key : keys) {
            met.addAndGet(inside.getAndIncrement(key));
        }
        metAPause.addAndGet(pausing.get(0));
        Thread.yield();
        metAPause.addAndGet(pausing.get(0));
        for (int key : keys) {
            inside.decrementAndGet(key);
        }
        inside.decrementAndGet(KEYS);
        return true;
    }

    private void pauseAgainAndAgain(Lanes<Integer> lanes, Fault fault) {
        for (int i = 0; i < PAUSES; i++) {
            PauseMode mode = i % 4 == 0 ? PauseMode.SUBMITTED : PauseMode.RUNNING;
            CompletableFuture<Pause> asked = lanes.pause(mode, Duration.ofSeconds(30));
            Pause pause = fault == Fault.PAUSES_ARE_NOT_WAITED_FOR
                    ? () -> asked.join().close()
                    : asked.join();
            pausing.set(0, 1);
            metAPause.addAndGet(inside.get(KEYS));
            for (int spin = 0; spin < 200; spin++) {
                Thread.onSpinWait();
            }
            pausing.set(0, 0);
            pause.close();
        }
    }
}
