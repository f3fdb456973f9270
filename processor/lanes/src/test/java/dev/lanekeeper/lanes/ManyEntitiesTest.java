package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ten million entities created, nine million removed, ten million more created: what a map of locks does not survive. */
@SuppressWarnings("FutureReturnValueIgnored") // what operations did matters
class ManyEntitiesTest {
    private static final int AT_ONCE = 20_000;

    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final Lanes<Integer> lanes = Lanes.<Integer>builder().executor(pool).build();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    /** Each operation in the lane of its entity. Other numbers with {@code -Dlanekeeper.entities}. */
    @Test
    void tenMillionAreCreatedNineMillionRemovedAndTenMillionMoreCreated() throws Exception {
        int many = Integer.getInteger("lanekeeper.entities", 10_000_000);
        byte[] there = new byte[2 * many]; // each guarded by the lane of its entity
        AtomicInteger wrong = new AtomicInteger();

        forEach(0, many, entity -> wrong.addAndGet(there[entity]++));
        forEach(0, nineTenths(many), entity -> wrong.addAndGet(--there[entity]));
        forEach(many, 2 * many, entity -> wrong.addAndGet(there[entity]++));
        Soon.closed(lanes);

        assertThat(wrong).hasValue(0);
        assertThat(IntStream.range(0, there.length)
                        .filter(entity -> there[entity] == 1)
                        .count())
                .isEqualTo(there.length - nineTenths(many));
        assertThat(lanes.view().live()).isZero(); // and no memory: see LanesMemoryTest
    }

    private void forEach(int from, int until, IntConsumer operation) throws InterruptedException {
        Semaphore room = new Semaphore(AT_ONCE); // else what grows is the line of those who wait
        for (int entity = from; entity < until; entity++) {
            int its = entity;
            room.acquire();
            lanes.submit(its, () -> {
                        operation.accept(its);
                        return true;
                    })
                    .thenRun(room::release);
        }
        room.acquire(AT_ONCE);
    }

    /**
     * Here a lane is held as long as its entity lives. A tenth by default, for these are all on the heap at once; in full with
     * {@code -Dlanekeeper.held=10000000 -Dtest.heap=4g}.
     */
    @Test
    void eachLivingEntityHasALaneAndNoOtherHas() throws Exception {
        int many = Integer.getInteger("lanekeeper.held", 1_000_000);
        List<CompletableFuture<Hold>> first = create(0, many);
        assertThat(lanes.view().live()).isEqualTo(many);

        remove(first.subList(0, nineTenths(many)));
        assertThat(lanes.view().live()).isEqualTo(many - nineTenths(many));

        List<CompletableFuture<Hold>> more = create(many, 2 * many);
        assertThat(lanes.view().live()).isEqualTo(2 * many - nineTenths(many));

        remove(first);
        remove(more);
        assertThat(lanes.view().live()).isZero();
    }

    private List<CompletableFuture<Hold>> create(int from, int until) {
        List<CompletableFuture<Hold>> created = new ArrayList<>(until - from);
        for (int entity = from; entity < until; entity++) {
            created.add(lanes.acquire(entity));
        }
        return created;
    }

    private static void remove(List<CompletableFuture<Hold>> entities) throws Exception {
        for (CompletableFuture<Hold> entity : entities) {
            Soon.result(entity).close();
        }
        entities.clear();
    }

    private static int nineTenths(int many) {
        return many / 10 * 9;
    }
}
