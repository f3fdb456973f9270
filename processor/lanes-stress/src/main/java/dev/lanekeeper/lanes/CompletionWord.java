package dev.lanekeeper.lanes;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.ZIZ_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** How a ticket ends: its word {@code state}. */
public final class CompletionWord {
    private CompletionWord() {}

    private static Probe lasting(LaneMap<Integer> map) {
        Probe ticket = Probe.lasting();
        map.enqueue(0, ticket);
        return ticket;
    }

    private static Probe returned(LaneMap<Integer> map) {
        Probe ticket = lasting(map);
        ticket.turn(0);
        return ticket;
    }

    /** Settled by another thread in the moment in which its start returns. */
    @JCStressTest
    @Description("Settle against return: the lane is released once, by whichever comes last")
    @Outcome(id = "true, 1, false", expect = ACCEPTABLE, desc = "Released once, after the start")
    @Outcome(id = "true, 0, .*", expect = FORBIDDEN, desc = "Never released: each left it to the other")
    @Outcome(id = "true, 2, .*", expect = FORBIDDEN, desc = "Released twice: two at once in the lane")
    @Outcome(id = ".*, .*, true", expect = FORBIDDEN, desc = "Released while the start was running")
    @Outcome(id = "false, .*, .*", expect = FORBIDDEN, desc = "The only one to settle it was refused")
    @State
    public static class SettleAgainstReturn {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe ticket = lasting(map);

        @Actor
        public void start() {
            ticket.turn(0);
        }

        @Actor
        public void settle(ZIZ_Result result) {
            ticket.awaitStart();
            result.r1 = ticket.settle();
        }

        @Arbiter
        public void look(ZIZ_Result result) {
            result.r2 = ticket.releases();
            result.r3 = ticket.releasedInside();
        }
    }

    /** Settled by two threads, as by a result and a timeout. */
    @JCStressTest
    @Description("Settle against settle: the first counts")
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "The one was first")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "The other was")
    @Outcome(id = "true, true, .*", expect = FORBIDDEN, desc = "Both were told that they settled it")
    @Outcome(id = "false, false, .*", expect = FORBIDDEN, desc = "Neither was")
    @Outcome(id = ".*, .*, 2", expect = FORBIDDEN, desc = "Released twice: two at once in the lane")
    @State
    public static class SettleTwice {
        private final Probe ticket = returned(Probe.map());

        @Actor
        public void settleOne(ZZI_Result result) {
            result.r1 = ticket.settle();
        }

        @Actor
        public void settleOther(ZZI_Result result) {
            result.r2 = ticket.settle();
        }

        @Arbiter
        public void look(ZZI_Result result) {
            result.r3 = ticket.releases();
        }
    }

    /** Settled in the moment in which it is to start again, as by a timeout against a retry. */
    @JCStressTest
    @Description("Settle against re-arm: the first counts; a settling that comes after the next start counts for that")
    @Outcome(id = "1, 0, 1, 1", expect = ACCEPTABLE, desc = "Settled; it does not start again")
    @Outcome(id = "0, 1, 2, 0", expect = ACCEPTABLE, desc = "Started again; the settling came between the two")
    @Outcome(id = "1, 1, 2, 1", expect = ACCEPTABLE, desc = "Started again, and settled then")
    @Outcome(id = "1, 1, 1, .*", expect = FORBIDDEN, desc = "Both count for the same start")
    @Outcome(id = "0, 0, .*, .*", expect = FORBIDDEN, desc = "Neither counts: the lane sticks")
    @Outcome(id = ".*, .*, .*, 2", expect = FORBIDDEN, desc = "Released twice")
    @State
    public static class SettleAgainstRearm {
        private final Probe ticket = returned(Probe.map());

        @Actor
        public void settle(IIII_Result result) {
            result.r1 = ticket.settle() ? 1 : 0;
        }

        @Actor
        public void rearm(IIII_Result result) {
            result.r2 = ticket.rearm() ? 1 : 0;
        }

        @Arbiter
        public void look(IIII_Result result) {
            result.r3 = ticket.starts();
            result.r4 = ticket.releases();
        }
    }
}
