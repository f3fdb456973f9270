package dev.lanekeeper.lanes;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** From one ticket to the next of the same lane: the words {@code tail} and {@code next}. */
public final class HandOver {
    private HandOver() {}

    /** The enqueuer of a successor and the releaser of its predecessor meet on one word. */
    @JCStressTest
    @Description("Enqueue against release: one of the two sees to the successor")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "Released before it was linked: the enqueuer sees to it")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "Linked before the release: the releaser sees to it")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody does: the lane sticks")
    @Outcome(id = "true, true", expect = FORBIDDEN, desc = "Both do: it runs twice")
    @State
    public static class EnqueueAgainstRelease {
        private final Lane<Integer> lane = new Lane<>(0, Probe.map());
        private final Probe first = Probe.brief();
        private final Probe second = Probe.brief();

        /** A lane with one ticket in it and another one admitted. */
        public EnqueueAgainstRelease() {
            lane.enqueue(first);
            lane.retain();
        }

        @Actor
        public void enqueue(ZZ_Result result) {
            result.r1 = lane.enqueue(second);
        }

        @Actor
        public void release(ZZ_Result result) {
            result.r2 = lane.release(first) == second;
        }
    }

    /** Two enqueuers meet on the tail of an empty lane. */
    @JCStressTest
    @Description("Enqueue against enqueue: one of the two heads the lane, and hands over to the other")
    @Outcome(
            id = "1, 1, 0",
            expect = ACCEPTABLE,
            desc = "One heads, the other comes after it, nothing comes after that")
    @Outcome(id = "0, .*, .*", expect = FORBIDDEN, desc = "Nobody heads: the lane sticks")
    @Outcome(id = "2, .*, .*", expect = FORBIDDEN, desc = "Both head: two at once")
    @Outcome(id = "1, 0, .*", expect = FORBIDDEN, desc = "The second one is lost")
    @State
    public static class EnqueueAgainstEnqueue {
        private final Lane<Integer> lane = new Lane<>(0, Probe.map());
        private final Probe one = Probe.brief();
        private final Probe other = Probe.brief();
        private boolean oneHeads;
        private boolean otherHeads;

        /** A lane with nothing in line and two tickets admitted. */
        public EnqueueAgainstEnqueue() {
            lane.retain();
        }

        @Actor
        public void enqueueOne() {
            oneHeads = lane.enqueue(one);
        }

        @Actor
        public void enqueueOther() {
            otherHeads = lane.enqueue(other);
        }

        /** Goes through the line from its head. */
        @Arbiter
        public void walk(III_Result result) {
            result.r1 = (oneHeads ? 1 : 0) + (otherHeads ? 1 : 0);
            Probe head = oneHeads ? one : other;
            Probe next = oneHeads ? other : one;
            result.r2 = lane.release(head) == next ? 1 : 0;
            result.r3 = lane.release(next) == null ? 0 : 1;
        }
    }

    /** What a task wrote without any order of its own is there for the next one, and so are the ticket's own fields. */
    @JCStressTest
    @Description("A task sees the plain writes of the task before it and of its own submitter, whoever runs it")
    @Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "All is seen")
    @Outcome(
            id = "0, .*, .*",
            expect = FORBIDDEN,
            desc = "The second task did not see what the first wrote, or did not run")
    @Outcome(id = "1, 1, .*", expect = FORBIDDEN, desc = "A write of the second task is lost")
    @Outcome(id = ".*, .*, 0", expect = FORBIDDEN, desc = "The second task did not see what its submitter wrote")
    @State
    public static class SeenByTheNext {
        private final LaneMap<Integer> map = Probe.map();
        private final Counting first = new Counting();
        private final Counting second = new Counting();

        /** Guarded by the lane alone. */
        private int count;

        private final class Counting extends Ticket<Integer> {
            /** Written by the submitter, read by the runner. */
            private int given;

            private int seen;
            private int seenGiven;

            @Override
            protected void start() {
                seenGiven = given;
                seen = count;
                count = seen + 1;
                settle();
            }
        }

        /** A lane with one ticket in it. */
        public SeenByTheNext() {
            map.enqueue(0, first);
        }

        @Actor
        public void runFirst() {
            run(first);
        }

        @Actor
        public void submitSecond() {
            second.given = 3;
            if (map.enqueue(0, second)) {
                run(second);
            }
        }

        private static void run(@Nullable Place<Integer> head) {
            Place<Integer> place = head;
            while (place != null) {
                place = place.ticket().turn(0);
            }
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = second.seen;
            result.r2 = count;
            result.r3 = second.seenGiven;
        }
    }
}
