package dev.lanekeeper.lanes;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A ticket and a pause: the ticket's word and the gate's {@code closed}, each written before the other is read. */
public final class StartAndPause {
    private StartAndPause() {}

    private static PauseRequest<Integer> request(LaneMap<Integer> map) {
        return new PauseRequest<>(map, PauseMode.RUNNING, Duration.ofDays(1));
    }

    /** A ticket that starts in the moment in which a pause begins. */
    @JCStressTest
    @Description("Start against pause: one of them waits for the other, never both, never neither")
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "It runs, and the pause waits for it")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "The pause is held, and it starts when that is over")
    @Outcome(id = "true, true, .*", expect = FORBIDDEN, desc = "It runs inside the pause")
    @Outcome(id = "false, false, .*", expect = FORBIDDEN, desc = "The pause waits for something that does not run")
    @Outcome(id = ".*, .*, [02]", expect = FORBIDDEN, desc = "After the pause it never starts, or once more")
    @State
    public static class StartAgainstPause {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe ticket = Probe.lasting();
        private final PauseRequest<Integer> pause = request(map);

        /** A lane with one ticket, which can start. */
        public StartAgainstPause() {
            map.enqueue(0, ticket);
        }

        @Actor
        public void start() {
            ticket.turn(0);
        }

        @Actor
        public void pause() {
            map.gate().request(pause);
        }

        /** Looks, ends the pause, and looks what became of the ticket. */
        @Arbiter
        public void look(ZZI_Result result) {
            result.r1 = ticket.holding();
            result.r2 = map.gate().end(pause, PauseRequest.State.RELEASED);
            if (!result.r2) {
                map.gate().end(pause, PauseRequest.State.CANCELLED);
            }
            result.r3 = ticket.starts();
        }
    }

    /** A ticket that ends in the moment in which a pause looks around. */
    @JCStressTest
    @Description("End against pause: the pause does not wait for what has ended")
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "It is held")
    @Outcome(id = "false", expect = FORBIDDEN, desc = "It waits for ever")
    @State
    public static class EndAgainstPause {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe ticket = Probe.lasting();
        private final PauseRequest<Integer> pause = request(map);

        /** A lane that is held by a ticket whose start has returned. */
        public EndAgainstPause() {
            map.enqueue(0, ticket);
            ticket.turn(0);
        }

        @Actor
        public void end() {
            ticket.settle();
        }

        @Actor
        public void pause() {
            map.gate().request(pause);
        }

        @Arbiter
        public void look(Z_Result result) {
            result.r1 = map.gate().end(pause, PauseRequest.State.RELEASED);
        }
    }

    /** A ticket that becomes ready in the moment in which a pause ends. */
    @JCStressTest
    @Description("Arrival against the end of a pause: nobody is forgotten at the gate")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "It starts, once")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "It is ready for ever")
    @Outcome(id = "2", expect = FORBIDDEN, desc = "It starts twice")
    @State
    public static class ArrivalAgainstResume {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe ticket = Probe.lasting();
        private final PauseRequest<Integer> pause = request(map);

        /** Lanes with nothing in them, and a pause that is held. */
        public ArrivalAgainstResume() {
            map.gate().request(pause);
        }

        @Actor
        public void arrive() {
            map.enqueue(0, ticket);
            map.start(ticket);
        }

        @Actor
        public void resume() {
            map.gate().end(pause, PauseRequest.State.RELEASED);
        }

        @Arbiter
        public void look(I_Result result) {
            result.r1 = ticket.starts();
        }
    }

    /** A ticket that backs out and joins those who wait in the moment in which a pause ends. */
    @JCStressTest
    @Description("Backing out against the end of a pause: whoever is taken out of those who wait is started, once")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "It starts, once")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "It waits at an open gate")
    @Outcome(id = "2", expect = FORBIDDEN, desc = "It starts twice")
    @State
    public static class BackOutAgainstResume {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe ticket = Probe.lasting();
        private final PauseRequest<Integer> pause = request(map);

        /** A lane with one ticket, which could start if a pause were not held. */
        public BackOutAgainstResume() {
            map.gate().request(pause);
            map.enqueue(0, ticket);
        }

        @Actor
        public void start() {
            ticket.turn(0);
        }

        @Actor
        public void resume() {
            map.gate().end(pause, PauseRequest.State.RELEASED);
        }

        @Arbiter
        public void look(I_Result result) {
            result.r1 = ticket.starts();
        }
    }
}
