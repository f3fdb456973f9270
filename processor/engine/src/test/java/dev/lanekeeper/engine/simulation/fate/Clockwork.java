package dev.lanekeeper.engine.simulation.fate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/*
 * One thread for many processes
 * -----------------------------
 * Tasks that are due run one at a time, in an order drawn from the seed. When none is due, time jumps to the next that will
 * be. A task is never interrupted: what is simulated is the order of tasks, not of instructions.
 *
 * A task that has to wait (a poll thread in the callback of a revocation, a synchronous commit) runs other tasks on its
 * own stack until what it waits for has come. So while it waits, everything else goes on; but when another one waits
 * meanwhile, on top of it, it goes on only after that one. That is an order like any other: threads are late at times.
 * Each process has one such thread, so the stack is no deeper than there are processes.
 */

/** Virtual time and whatever happens in it. Confined to one thread. */
public final class Clockwork {
    /** Far more than any simulation takes: one that goes beyond turns in circles. */
    private static final int MOST_STEPS = 2_000_000;

    private record Task(long nanos, long sequence, Host host, Runnable work) {}

    private final RandomGenerator random;
    private final Consumer<Throwable> uncaught;
    private final List<Task> due = new ArrayList<>();
    private final PriorityQueue<Task> later =
            new PriorityQueue<>(Comparator.comparingLong(Task::nanos).thenComparingLong(Task::sequence));
    private long nowNanos;
    private long sequence;
    private int steps;

    /** {@code uncaught} hears of what a task throws. */
    public Clockwork(RandomGenerator random, Consumer<Throwable> uncaught) {
        this.random = random;
        this.uncaught = uncaught;
    }

    public long nowNanos() {
        return nowNanos;
    }

    /** Runs {@code work} as soon as chance has it. */
    public void soon(Host host, Runnable work) {
        due.add(new Task(nowNanos, sequence++, host, work));
    }

    /** Runs {@code work} at a time to come. */
    public void after(long nanos, Host host, Runnable work) {
        later.add(new Task(nowNanos + Math.max(0, nanos), sequence++, host, work));
    }

    /** Runs one task, if any is due by then; else it is {@code untilNanos} at once. */
    public void step(long untilNanos) {
        if (++steps > MOST_STEPS) {
            throw new IllegalStateException("no end after " + MOST_STEPS + " steps");
        }
        if (due.isEmpty()) {
            passTime(untilNanos);
        }
        if (!due.isEmpty()) {
            runOne();
        }
    }

    private void passTime(long untilNanos) {
        Task next = later.peek();
        if (next == null || next.nanos() > untilNanos) {
            nowNanos = Math.max(nowNanos, untilNanos);
            return;
        }
        nowNanos = Math.max(nowNanos, next.nanos());
        while (next != null && next.nanos() <= nowNanos) {
            due.add(later.remove());
            next = later.peek();
        }
    }

    private void runOne() {
        int chosen = random.nextInt(due.size());
        Task task = due.get(chosen);
        Task last = due.remove(due.size() - 1);
        if (chosen < due.size()) {
            due.set(chosen, last);
        }
        Host host = task.host();
        if (host.dead()) {
            return;
        }
        if (host.frozen(nowNanos)) {
            later.add(new Task(host.frozenUntilNanos(), sequence++, host, task.work()));
            return;
        }
        try {
            task.work().run();
        } catch (HostDiedException e) {
            return; // its stack is gone, and nothing is left to do
        } catch (Throwable t) { // must not go up the stack of whoever waits below
            uncaught.accept(t);
        }
    }

    /** Runs tasks until it is {@code untilNanos}, or {@code done} says so. */
    public void run(long untilNanos, BooleanSupplier done) {
        while (nowNanos < untilNanos && !done.getAsBoolean()) {
            step(untilNanos);
        }
    }

    /**
     * Has {@code host} wait on this stack, others going on meanwhile.
     *
     * @throws HostDiedException if it was killed meanwhile
     */
    public void await(Host host, long untilNanos, BooleanSupplier done) {
        while (!host.dead() && (host.frozen(nowNanos) || (nowNanos < untilNanos && !done.getAsBoolean()))) {
            step(host.frozen(nowNanos) ? Math.max(untilNanos, host.frozenUntilNanos()) : untilNanos);
        }
        requireAlive(host);
    }

    /** Lets one other thing happen, within {@code nanos}. */
    public void giveWay(Host host, long nanos) {
        step(nowNanos + nanos);
        await(host, nowNanos, () -> true);
    }

    /** For the code of a process, which must not go on when that is dead. */
    public void requireAlive(Host host) {
        if (host.dead()) {
            throw new HostDiedException(host.name());
        }
    }
}
