package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Threads that submit to one key and run what they can themselves, with nothing else to do: its lane is born, handed over
 * and buried millions of times, in all the ways that {@link LaneExplorerTest} knows of. This is for the code what that is
 * for the algorithm.
 */
class LaneRaceTest {
    private static final int THREADS = 3;
    private static final int TICKETS_OF_EACH = 1_000_000;

    private final Lanes<String> lanes =
            Lanes.<String>builder().executor(Runnable::run).build();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger disorder = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();

    /** Guarded by the lane alone. */
    private final int[] lastOf = new int[THREADS];

    private final class Racing extends Ticket<String> {
        private final int thread;
        private final int number;
        private volatile boolean gone;

        Racing(int thread, int number) {
            this.thread = thread;
            this.number = number;
        }

        @Override
        protected void start() {
            overlaps.addAndGet(inside.getAndIncrement());
            disorder.addAndGet(number == lastOf[thread] + 1 ? 0 : 1);
            lastOf[thread] = number;
            inside.decrementAndGet();
            settle();
        }

        @Override
        protected void released() {
            released.incrementAndGet();
            gone = true;
        }
    }

    @Test
    void millionsOfBirthsAndBurialsOfOneLaneBreakNothing() throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            Thread thread = new Thread(() -> race(start, me));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            Soon.ended(thread);
        }

        assertThat(overlaps).as("tickets that met another").hasValue(0);
        assertThat(disorder).as("tickets out of order").hasValue(0);
        assertThat(released).as("tickets that had their turn").hasValue(THREADS * TICKETS_OF_EACH);
        assertThat(lastOf).containsOnly(TICKETS_OF_EACH);
        assertThat(lanes.view().live()).isZero();
    }

    private void race(CyclicBarrier start, int me) {
        try {
            Soon.met(start);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        for (int number = 1; number <= TICKETS_OF_EACH; number++) {
            Racing ticket = new Racing(me, number);
            lanes.enqueue("a", ticket);
            while (!ticket.gone) { // else the line would never be empty
                Thread.onSpinWait();
            }
        }
    }
}
