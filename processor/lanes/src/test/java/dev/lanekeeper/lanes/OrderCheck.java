package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Puts whatever claims to keep the order of keys under load, and tells a ledger what came of it. Half of the tasks end
 * when they return, the others later and elsewhere.
 */
final class OrderCheck {
    private static final String BY = "subject";

    /** What is put to the test. */
    interface Subject {
        void submit(Integer key, Supplier<CompletionStage<?>> task);
    }

    private final KeyOrderLedger<Integer> ledger = new KeyOrderLedger<>();
    private final Line[] lines;

    private OrderCheck(int keys) {
        lines = new Line[keys];
        for (int key = 0; key < keys; key++) {
            lines[key] = new Line(key);
        }
    }

    /**
     * On one thread: whether something is submitted next, or one of the executor's tasks runs, or something ends, is a
     * matter of chance, so a failure comes back with its seed.
     */
    static KeyOrderLedger<Integer> simulated(
            RandomGenerator random, int keys, int tasks, Function<Executor, Subject> maker) {
        OrderCheck check = new OrderCheck(keys);
        SteppingExecutor executor = new SteppingExecutor();
        SteppingExecutor elsewhere = new SteppingExecutor();
        Subject subject = maker.apply(executor);
        int left = tasks;
        int lull = 6;
        while (left > 0) {
            int step = random.nextInt(2 + lull);
            if (step == 0) {
                check.lines[random.nextInt(keys)].submit(subject, elsewhere, random.nextBoolean());
                lull = left % 25 == 0 ? 1 + random.nextInt(6) : lull; // now lanes grow long, now they empty and vanish
                left--;
            } else if (step % 2 == 0) {
                executor.runRandom(random);
            } else {
                elsewhere.runRandom(random);
            }
        }
        while (executor.runAllRandom(random) + elsewhere.runAllRandom(random) > 0) {
            // each may give the other something to do
        }
        return check.ledger;
    }

    /** On many threads: {@code producers} of them submit, {@code elsewhere} ends what does not end at once. */
    static KeyOrderLedger<Integer> threaded(
            Subject subject, Executor elsewhere, int producers, int keys, int tasksOfEach) throws InterruptedException {
        OrderCheck check = new OrderCheck(keys);
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int producer = 0; producer < producers; producer++) {
            Thread thread = new Thread(() -> {
                Soon.reached(start);
                ThreadLocalRandom random = ThreadLocalRandom.current();
                for (int i = 0; i < tasksOfEach; i++) {
                    check.lines[random.nextInt(keys)].submit(subject, elsewhere, random.nextBoolean());
                }
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread thread : threads) {
            Soon.ended(thread);
        }
        return check.ledger;
    }

    /** The tasks of one key. */
    private final class Line {
        private final Integer key;
        private long last;

        Line(Integer key) {
            this.key = key;
        }

        /** Submits under a lock, so that the order of arrival is known. */
        synchronized void submit(Subject subject, Executor elsewhere, boolean atOnce) {
            long position = ++last;
            ledger.sent(key, position);
            subject.submit(key, () -> {
                ledger.started(key, position, BY);
                if (atOnce) {
                    ledger.ended(key, position, BY);
                    return CompletableFuture.completedFuture(null);
                }
                CompletableFuture<Void> end = new CompletableFuture<>();
                elsewhere.execute(() -> {
                    ledger.ended(key, position, BY);
                    end.complete(null);
                });
                return end;
            });
        }
    }
}
