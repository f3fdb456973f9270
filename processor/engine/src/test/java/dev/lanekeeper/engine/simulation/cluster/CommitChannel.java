package dev.lanekeeper.engine.simulation.cluster;

import dev.lanekeeper.engine.simulation.cluster.FakeGroup.Member;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The way of one client's commits to the coordinator and back. They arrive in the order in which they were sent, late or not
 * at all; answers to asynchronous ones are delivered in poll.
 */
final class CommitChannel {
    private final FakeCluster cluster;
    private final FakeGroup group;
    private final Host host;
    private final Deque<Runnable> answers = new ArrayDeque<>();
    private long lastArrivalNanos;
    private boolean stranger;

    CommitChannel(FakeCluster cluster, FakeGroup group, Host host) {
        this.cluster = cluster;
        this.group = group;
        this.host = host;
    }

    /** Whether the coordinator has said since the last question that it does not know this client. */
    boolean refusedAsStranger() {
        boolean refused = stranger;
        stranger = false;
        return refused;
    }

    void deliverAnswers() {
        for (int i = answers.size(); i > 0; i--) {
            answers.remove().run();
        }
    }

    void send(
            @Nullable Member member,
            int generation,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            OffsetCommitCallback callback) {
        RuntimeException refusal = refusedAtOnce(member);
        if (member == null || refusal != null) {
            answers.add(() -> callback.onComplete(offsets, refusal));
            return;
        }
        travel(member, generation, offsets, answer -> answers.add(() -> callback.onComplete(offsets, answer)));
    }

    void sendAndWait(
            @Nullable Member member,
            int generation,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            long timeoutNanos) {
        RuntimeException refusal = refusedAtOnce(member);
        if (member == null || refusal != null) {
            throw refusal == null ? new CommitFailedException() : refusal;
        }
        Answer answer = new Answer();
        travel(member, generation, offsets, answer);
        Clockwork clockwork = cluster.clockwork();
        clockwork.await(host, clockwork.nowNanos() + timeoutNanos, () -> answer.came);
        if (!answer.came) {
            throw new TimeoutException("no answer to a commit");
        }
        if (answer.refusal != null) {
            throw answer.refusal;
        }
    }

    /** What the client itself knows. */
    private static @Nullable RuntimeException refusedAtOnce(@Nullable Member member) {
        if (member == null) {
            return new CommitFailedException("not a member of the group");
        }
        return member.betweenGenerations() && !member.expelled()
                ? new RebalanceInProgressException("a rebalance is under way")
                : null;
    }

    private void travel(
            Member member,
            int generation,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            Consumer<@Nullable RuntimeException> answer) {
        Clockwork clockwork = cluster.clockwork();
        if (cluster.luck().has(Chance.COMMIT_LOST)) {
            timeOut(answer);
            return;
        }
        long arrival = Math.max(
                lastArrivalNanos + 1, clockwork.nowNanos() + cluster.luck().delayNanos(FakeCluster.WAY_NANOS));
        lastArrivalNanos = arrival;
        boolean refused = cluster.luck().has(Chance.COMMIT_REFUSED);
        clockwork.after(arrival - clockwork.nowNanos(), cluster.host(), () -> {
            RuntimeException outcome = refused
                    ? new RetriableCommitFailedException("the coordinator is loading")
                    : group.commit(member, generation, offsets);
            if (cluster.luck().has(Chance.COMMIT_ANSWER_LOST)) {
                timeOut(answer);
            } else {
                clockwork.after(cluster.luck().delayNanos(FakeCluster.WAY_NANOS), host, () -> {
                    stranger |= outcome instanceof CommitFailedException;
                    answer.accept(outcome);
                });
            }
        });
    }

    private void timeOut(Consumer<@Nullable RuntimeException> answer) {
        cluster.clockwork()
                .after(
                        FakeCluster.REQUEST_TIMEOUT_NANOS,
                        host,
                        () -> answer.accept(new RetriableCommitFailedException("no answer to a commit")));
    }

    /** What a synchronous commit waits for. */
    private static final class Answer implements Consumer<@Nullable RuntimeException> {
        private boolean came;
        private @Nullable RuntimeException refusal;

        @Override
        public void accept(@Nullable RuntimeException answer) {
            came = true;
            refusal = answer;
        }
    }
}
