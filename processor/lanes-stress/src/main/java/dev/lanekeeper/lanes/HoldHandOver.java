package dev.lanekeeper.lanes;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Holds, given back on threads that did not take them. */
public final class HoldHandOver {
    private HoldHandOver() {}

    private static Lanes<Integer> lanes() {
        return Lanes.<Integer>builder().executor(Runnable::run).build();
    }

    private static boolean closed(Hold hold) {
        try {
            hold.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Closed by one thread while another asks for the same lane. */
    @JCStressTest
    @Description("Close against acquire: the next one gets the lane, and sees what was written under the hold before")
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "Granted, and the write is seen")
    @Outcome(id = "false, .*", expect = FORBIDDEN, desc = "Never granted")
    @Outcome(id = "true, 0", expect = FORBIDDEN, desc = "Granted, but the write is not seen")
    @State
    public static class CloseAgainstAcquire {
        private final Lanes<Integer> lanes = lanes();
        private final Hold hold = lanes.acquire(0).join();
        private CompletableFuture<Hold> next = new CompletableFuture<>();

        /** Guarded by the lane alone. */
        private int written;

        private int seen;

        @Actor
        public void close() {
            written = 1;
            hold.close();
        }

        @Actor
        public void acquire() {
            next = lanes.acquire(0);
            CompletableFuture<Void> unused = next.thenRun(() -> seen = written);
        }

        @Arbiter
        public void look(ZI_Result result) {
            result.r1 = next.isDone();
            result.r2 = seen;
        }
    }

    /** Closed by two threads. */
    @JCStressTest
    @Description("Close against close: one is refused")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The one was first")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The other was")
    @Outcome(id = "true, true", expect = FORBIDDEN, desc = "Both frees somebody: one of them, somebody else")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "Both are refused")
    @State
    public static class CloseTwice {
        private final Hold hold = lanes().acquire(0).join();

        @Actor
        public void closeOne(ZZ_Result result) {
            result.r1 = closed(hold);
        }

        @Actor
        public void closeOther(ZZ_Result result) {
            result.r2 = closed(hold);
        }
    }

    /** Cancelled in the moment in which it would be granted. */
    @JCStressTest
    @Description("Cancel against grant: given up or granted, and the one after it gets its turn")
    @Outcome(id = "true, true, 1", expect = ACCEPTABLE, desc = "Given up; the last one has the lane")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "Granted and closed; the last one has the lane")
    @Outcome(id = ".*, false, .*", expect = FORBIDDEN, desc = "The last one never gets its turn")
    @State
    public static class CancelAgainstGrant {
        private final Lanes<Integer> lanes = lanes();
        private final Hold hold = lanes.acquire(0).join();
        private final CompletableFuture<Hold> waiting = lanes.acquire(0);
        private final CompletableFuture<Hold> last = lanes.acquire(0);

        @Actor
        public void cancel(ZZI_Result result) {
            result.r1 = waiting.cancel(false);
        }

        @Actor
        public void close() {
            hold.close();
        }

        /** Closes the hold that was granted all the same, and looks who has the lane. */
        @Arbiter
        public void look(ZZI_Result result) {
            if (!result.r1) {
                waiting.join().close();
            }
            result.r2 = last.isDone();
            result.r3 = lanes.view().inFlight();
        }
    }
}
