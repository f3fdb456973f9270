package dev.lanekeeper.lanes.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What must be found. */
public final class Faulty {
    private Faulty() {}

    /** The link to a successor, by plain reads and writes where there should be a swap and an exchange. */
    @JCStressTest
    @Description("Planted: enqueue against release with plain accesses")
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "One of the two sees to the successor")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody does: to be seen")
    @State
    public static class HandOver {
        private static final Object RELEASED = new Object();
        private @Nullable Object next;

        /** Links the successor if it finds the place open. */
        @Actor
        public void enqueue(ZZ_Result result) {
            boolean heads = next != null;
            if (!heads) {
                next = this;
            }
            result.r1 = heads;
        }

        @Actor
        public void release(ZZ_Result result) {
            Object successor = next;
            next = RELEASED;
            result.r2 = successor != null;
        }
    }

    /** The last one out reads that nobody is left and then writes that the lane is dead. */
    @JCStressTest
    @Description("Planted: a lane buried by a read and a write")
    @Outcome(
            id = {"true, true", "false, false"},
            expect = ACCEPTABLE,
            desc = "Admitted to a live lane, or turned away")
    @Outcome(id = "true, false", expect = FORBIDDEN, desc = "Admitted to a lane that nobody finds: to be seen")
    @State
    public static class LaneLife {
        private static final int DEAD = Integer.MIN_VALUE;
        private final AtomicInteger refs = new AtomicInteger(1);
        private volatile boolean mapped = true;

        @Actor
        public void admit(ZZ_Result result) {
            result.r1 = refs.getAndIncrement() >= 0;
        }

        @Actor
        public void leave() {
            if (refs.decrementAndGet() == 0 && refs.get() == 0) {
                refs.set(DEAD);
                mapped = false;
            }
        }

        @Arbiter
        public void look(ZZ_Result result) {
            result.r2 = mapped;
        }
    }

    /** Two flags, each written before the other is read, neither of them volatile. */
    @JCStressTest
    @Description("Planted: start against pause with plain flags")
    @Outcome(
            id = {"true, false", "false, true", "false, false"},
            expect = ACCEPTABLE,
            desc = "Never both")
    @Outcome(id = "true, true", expect = FORBIDDEN, desc = "It runs inside the pause: to be seen")
    @State
    public static class StartAndPause {
        private boolean running;
        private boolean closed;

        @Actor
        public void start(ZZ_Result result) {
            running = true;
            result.r1 = !closed;
        }

        @Actor
        public void pause(ZZ_Result result) {
            closed = true;
            result.r2 = !running;
        }
    }

    /** Whoever settles reads the word and then writes it. */
    @JCStressTest
    @Description("Planted: settle against settle without a swap")
    @Outcome(
            id = {"true, false, 1", "false, true, 1"},
            expect = ACCEPTABLE,
            desc = "The first counts")
    @Outcome(id = "true, true, 2", expect = FORBIDDEN, desc = "Released twice: to be seen")
    @State
    public static class CompletionWord {
        private final AtomicInteger releases = new AtomicInteger();
        private volatile boolean done;

        private boolean settle() {
            if (done) {
                return false;
            }
            done = true;
            releases.incrementAndGet();
            return true;
        }

        @Actor
        public void settleOne(ZZI_Result result) {
            result.r1 = settle();
        }

        @Actor
        public void settleOther(ZZI_Result result) {
            result.r2 = settle();
        }

        @Arbiter
        public void look(ZZI_Result result) {
            result.r3 = releases.get();
        }
    }

    /** A memory that is looked up and then filled, with nothing in between to join. */
    @JCStressTest
    @Description("Planted: begin against join by get and put")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "One computation")
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = FORBIDDEN,
            desc = "Two: to be seen")
    @State
    public static class BeginAndJoin {
        private final AtomicInteger computations = new AtomicInteger();
        private final ConcurrentMap<Integer, Integer> memory = new ConcurrentHashMap<>();

        private int ask() {
            Integer remembered = memory.get(0);
            if (remembered != null) {
                return remembered;
            }
            int computed = computations.incrementAndGet();
            memory.put(0, computed);
            return computed;
        }

        @Actor
        public void askOne(II_Result result) {
            result.r1 = ask();
        }

        @Actor
        public void askOther(II_Result result) {
            result.r2 = ask();
        }
    }
}
