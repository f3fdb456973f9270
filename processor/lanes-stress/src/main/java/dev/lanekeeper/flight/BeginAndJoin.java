package dev.lanekeeper.flight;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** Two callers of one key. A computation gives the number of computations so far. */
public final class BeginAndJoin {
    private BeginAndJoin() {}

    /** Both ask at once; results are remembered. */
    @JCStressTest
    @Description("Begin against join, with memory: one computation, whose result both get")
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "One began it, the other joined or remembered")
    @Outcome(id = ".*, .*, [02]", expect = FORBIDDEN, desc = "None was computed, or two")
    @Outcome(id = "0, .*, .*", expect = FORBIDDEN, desc = "The one got nothing")
    @Outcome(id = ".*, 0, .*", expect = FORBIDDEN, desc = "The other got nothing")
    @State
    public static class Remembered {
        private final AtomicInteger computations = new AtomicInteger();
        private final SingleFlight<Integer, Integer> flights =
                SingleFlight.remembering(Runnable::run, new ConcurrentHashMap<>());
        private CompletableFuture<Integer> one = new CompletableFuture<>();
        private CompletableFuture<Integer> other = new CompletableFuture<>();

        @Actor
        public void askOne() {
            one = flights.get(0, key -> computations.incrementAndGet());
        }

        @Actor
        public void askOther() {
            other = flights.get(0, key -> computations.incrementAndGet());
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = one.getNow(0);
            result.r2 = other.getNow(0);
            result.r3 = computations.get();
        }
    }

    /** Both ask at once; nothing is remembered. */
    @JCStressTest
    @Description("Begin against join, without memory: who asks while it is computed joins, who asks later begins anew")
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "One began it, the other joined")
    @Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "One after the other")
    @Outcome(id = "2, 1, 2", expect = ACCEPTABLE, desc = "The other way round")
    @Outcome(id = "0, .*, .*", expect = FORBIDDEN, desc = "The one got nothing")
    @Outcome(id = ".*, 0, .*", expect = FORBIDDEN, desc = "The other got nothing")
    @Outcome(id = "([12]), \\1, 2", expect = FORBIDDEN, desc = "Both have the same result, and it was computed twice")
    @State
    public static class Forgotten {
        private final AtomicInteger computations = new AtomicInteger();
        private final SingleFlight<Integer, Integer> flights = SingleFlight.on(Runnable::run);
        private CompletableFuture<Integer> one = new CompletableFuture<>();
        private CompletableFuture<Integer> other = new CompletableFuture<>();

        @Actor
        public void askOne() {
            one = flights.get(0, key -> computations.incrementAndGet());
        }

        @Actor
        public void askOther() {
            other = flights.get(0, key -> computations.incrementAndGet());
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = one.getNow(0);
            result.r2 = other.getNow(0);
            result.r3 = computations.get();
        }
    }

    /** The last who waits for a computation takes leave while somebody else comes; it has not begun. */
    @JCStressTest
    @Description("Leave against join: who comes gets a result, of one computation")
    @Outcome(id = "true, 1, 1", expect = ACCEPTABLE, desc = "It joined before the other left, or began anew")
    @Outcome(id = ".*, 0, .*", expect = FORBIDDEN, desc = "It joined what had been given up")
    @Outcome(id = ".*, .*, 2", expect = FORBIDDEN, desc = "What had been given up was computed too")
    @Outcome(id = "false, .*, .*", expect = FORBIDDEN, desc = "The one could not leave")
    @State
    public static class LeaveAgainstJoin {
        private final AtomicInteger computations = new AtomicInteger();
        private final Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();
        private final SingleFlight<Integer, Integer> flights = SingleFlight.on(submitted::add);
        private final CompletableFuture<Integer> leaving = flights.get(0, key -> computations.incrementAndGet());
        private CompletableFuture<Integer> coming = new CompletableFuture<>();

        @Actor
        public void leave(ZII_Result result) {
            result.r1 = leaving.cancel(false);
        }

        @Actor
        public void come() {
            coming = flights.get(0, key -> computations.incrementAndGet());
        }

        @Arbiter
        public void look(ZII_Result result) {
            submitted.forEach(Runnable::run);
            result.r2 = coming.getNow(0);
            result.r3 = computations.get();
        }
    }
}
