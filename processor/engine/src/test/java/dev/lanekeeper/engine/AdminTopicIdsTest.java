package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where nobody tells the ids of topics, the answer is that none is known. TopicMadeAnewIT has them told by a broker. */
class AdminTopicIdsTest {
    private final List<Runnable> tasks = new ArrayList<>();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    /** A client that can't be made, as one with settings that it doesn't take. */
    @Test
    void aClientThatCannotBeMadeKnowsNothing() {
        AdminTopicIds ids = new AdminTopicIds(
                () -> {
                    throw new KafkaException("planned");
                },
                Runnable::run);
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        ids.close();
    }

    @Test
    void aClientThatFailsKnowsNothingAndIsAskedAgain() {
        AdminTopicIds ids = new AdminTopicIds(this::failing, Runnable::run);
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        assertThat(made).as("one client").hasValue(1);
        assertThat(closed).hasValue(0);
        ids.close();
        assertThat(closed).hasValue(1);
    }

    /** It is asked on the poll thread, inside a rebalance. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anExecutorThatRefusesIsNoError(boolean closed) {
        AdminTopicIds ids = new AdminTopicIds(this::failing, task -> {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            throw new OutOfMemoryError("unable to create native thread");
        });
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        ids.close();
    }

    /** It is asked inside a rebalance, out of which nothing may be thrown. */
    @Test
    @SuppressWarnings("NullAway") // against the rules
    void noClientIsAskedForAgain() {
        AdminTopicIds ids = new AdminTopicIds(() -> made.incrementAndGet() == 1 ? null : failing(), Runnable::run);
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        assertThat(closed).as("it is not taken for the close").hasValue(0);
        ids.close();
        assertThat(closed).hasValue(1);
    }

    /** As where a class is missing that a login needs: partitions don't wait for an answer that can't come. */
    @Test
    void aClientThatBreaksKnowsNothing() {
        AdminTopicIds ids = new AdminTopicIds(
                () -> {
                    throw new NoClassDefFoundError("planned");
                },
                task -> {
                    try {
                        task.run();
                    } catch (NoClassDefFoundError e) {
                        tasks.add(task); // as a thread that ends with it
                    }
                });
        assertThat(ids.of(Set.of("jobs"))).isCompletedWithValueMatching(known -> known.isEmpty());
        assertThat(tasks).isEmpty();
        ids.close();
    }

    /** The poll thread is not the one that makes a client, nor the one that waits. */
    @Test
    void nothingHappensOnTheThreadThatAsks() {
        AdminTopicIds ids = new AdminTopicIds(this::failing, tasks::add);
        assertThat(ids.of(Set.of("jobs"))).isNotDone();
        assertThat(made).hasValue(0);
        ids.close();
    }

    @Test
    void aClientThatIsMadeAfterTheCloseIsClosed() {
        AdminTopicIds ids = new AdminTopicIds(this::failing, tasks::add);
        var answer = ids.of(Set.of("jobs"));
        ids.close();
        tasks.forEach(Runnable::run);
        assertThat(answer).isCompletedWithValueMatching(known -> known.isEmpty());
        assertThat(closed.get()).isEqualTo(made.get());
    }

    private Admin failing() {
        made.incrementAndGet();
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (self, method, given) -> {
                    if (method.getName().equals("close")) {
                        return closed.incrementAndGet();
                    }
                    throw new KafkaException("planned");
                });
    }
}
