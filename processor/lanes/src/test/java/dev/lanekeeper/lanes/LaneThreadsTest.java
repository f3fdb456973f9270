package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The same on every JVM: daemons with a name; where there are virtual threads, virtual. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LaneThreadsTest {
    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        if (Runtime.version().feature() < 21) {
            return false;
        }
        return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }

    @Test
    void threadsAreVirtualWhereTheJvmHasThem() throws Exception {
        Thread thread = LaneThreads.factory("made").newThread(() -> {});

        assertThat(LaneThreads.virtual()).isEqualTo(Runtime.version().feature() >= 21);
        assertThat(isVirtual(thread)).isEqualTo(LaneThreads.virtual());
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void threadsAreNamedAndNumbered() {
        ThreadFactory factory = LaneThreads.factory("made");

        assertThat(factory.newThread(() -> {}).getName()).isEqualTo("made-0");
        assertThat(factory.newThread(() -> {}).getName()).isEqualTo("made-1");
        assertThat(LaneThreads.factory("made").newThread(() -> {}).getName()).isEqualTo("made-0");
    }

    @Test
    void lanesWithoutAnExecutorRunOnSuchThreads() throws Exception {
        try (Lanes<String> lanes = Lanes.<String>builder().name("own").build()) {
            Thread thread = Soon.result(lanes.submit("a", Thread::currentThread));

            assertThat(isVirtual(thread)).isEqualTo(LaneThreads.virtual());
            assertThat(thread.getName()).isEqualTo("own-0");
        }
    }

    @Test
    void lanesWithoutAnExecutorRunAtLeastTwoHundredBlockingTasksAtOnce() throws Exception {
        try (Lanes<Integer> lanes = Lanes.<Integer>builder().build()) {
            CyclicBarrier all = new CyclicBarrier(200);
            List<CompletableFuture<Boolean>> results = new ArrayList<>();
            for (int key = 0; key < 200; key++) {
                results.add(lanes.submit(key, () -> {
                    Soon.met(all);
                    return true;
                }));
            }
            for (CompletableFuture<Boolean> result : results) {
                assertThat(Soon.result(result)).isTrue();
            }
        }
    }

    @Test
    void moreBlockingTasksThanThreadsAreAllRun() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        try (Lanes<Integer> lanes = Lanes.<Integer>builder().build()) {
            for (int key = 0; key < 2_000; key++) {
                lanes.submit(key, ran::incrementAndGet);
            }
        }
        assertThat(ran).hasValue(2_000);
    }
}
