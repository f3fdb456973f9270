package dev.lanekeeper.lanes;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Birth and death of a lane: the word {@code refs} and the entry in the map. */
public final class LaneLife {
    private LaneLife() {}

    private static Lane<Integer> laneOf(LaneMap<Integer> map) {
        return map.live().iterator().next();
    }

    /** Whoever is admitted while the last one leaves. */
    @JCStressTest
    @Description("Retain against the last release: admitted to a lane that lives, or turned away from a dead one")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Admitted, and the lane is in the map")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "Turned away, and the lane is gone")
    @Outcome(
            id = "true, false",
            expect = FORBIDDEN,
            desc = "Admitted to a lane that nobody finds: the key has two lanes")
    @Outcome(id = "false, true", expect = FORBIDDEN, desc = "A dead lane is left behind")
    @State
    public static class AdmittedOrDead {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe last = Probe.brief();
        private final Lane<Integer> lane;

        /** A lane with one ticket in it. */
        public AdmittedOrDead() {
            map.enqueue(0, last);
            lane = laneOf(map);
        }

        @Actor
        public void admit(ZZ_Result result) {
            result.r1 = lane.retain();
        }

        @Actor
        public void leave() {
            lane.release(last);
        }

        @Arbiter
        public void look(ZZ_Result result) {
            result.r2 = map.live().contains(lane);
        }
    }

    /** The same through the map, which finds another lane if need be. */
    @JCStressTest
    @Description("Arrival against the last release: one of the two sees to the arrival, in the one lane that is there")
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "The arrival heads its lane, the old one or a new one")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "It came behind the last one, which hands over")
    @Outcome(id = "false, false, .*", expect = FORBIDDEN, desc = "Nobody sees to it")
    @Outcome(id = "true, true, .*", expect = FORBIDDEN, desc = "Both see to it")
    @Outcome(id = ".*, .*, [02]", expect = FORBIDDEN, desc = "Its lane is not in the map, or another one is beside it")
    @State
    public static class ArrivalAtTheEnd {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe last = Probe.brief();
        private final Probe arrival = Probe.brief();
        private final Lane<Integer> lane;

        /** A lane with one ticket in it. */
        public ArrivalAtTheEnd() {
            map.enqueue(0, last);
            lane = laneOf(map);
        }

        @Actor
        public void arrive(ZZI_Result result) {
            result.r1 = map.enqueue(0, arrival);
        }

        @Actor
        public void leave(ZZI_Result result) {
            result.r2 = lane.release(last) == arrival;
        }

        @Arbiter
        public void look(ZZI_Result result) {
            boolean itsOwn = map.live().stream().anyMatch(each -> each == arrival.standing());
            result.r3 = itsOwn ? map.live().size() : 0;
        }
    }

    /** Two who find no lane. */
    @JCStressTest
    @Description("Arrival against arrival at an idle key: one lane is born, and one of the two heads it")
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "The one was first")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "The other was")
    @Outcome(id = "true, true, .*", expect = FORBIDDEN, desc = "Each heads a lane of its own")
    @Outcome(id = "false, false, .*", expect = FORBIDDEN, desc = "Nobody heads the lane")
    @State
    public static class TwoArrivals {
        private final LaneMap<Integer> map = Probe.map();
        private final Probe one = Probe.brief();
        private final Probe other = Probe.brief();

        @Actor
        public void arriveOne(ZZI_Result result) {
            result.r1 = map.enqueue(0, one);
        }

        @Actor
        public void arriveOther(ZZI_Result result) {
            result.r2 = map.enqueue(0, other);
        }

        @Arbiter
        public void look(ZZI_Result result) {
            result.r3 = one.standing() == other.standing() ? map.live().size() : 0;
        }
    }
}
