package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.flight.SingleFlight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people write maps of locks for, as they tell it; with ten million entities in {@link ManyEntitiesTest}. */
@SuppressWarnings({"FutureReturnValueIgnored", "ThreadPriorityCheck"
}) // what tasks did matters; a yield gives faults room
class ClassicScenariosTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService pool = Executors.newFixedThreadPool(10);
    private final Lanes<String> lanes = Lanes.<String>builder().executor(pool).build();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    @Test
    void tenThreadsAppendThreeNumbersEachUnderOneCustomer() throws Exception {
        for (int round = 0; round < 200; round++) {
            List<Integer> buffer = new ArrayList<>(); // guarded by nothing but the customer's lane
            CyclicBarrier start = new CyclicBarrier(10);
            List<CompletableFuture<Void>> threads = IntStream.range(0, 10)
                    .mapToObj(thread -> CompletableFuture.runAsync(
                            () -> unchecked(() -> {
                                Soon.met(start);
                                Hold hold = lanes.hold("customer", LONG);
                                for (int i = 0; i < 3; i++) {
                                    buffer.add(10 * thread + i);
                                    Thread.yield();
                                }
                                hold.close();
                                return true;
                            }),
                            pool))
                    .toList();
            for (CompletableFuture<Void> thread : threads) {
                Soon.result(thread);
            }

            assertThat(buffer).hasSize(30);
            for (int i = 0; i < 30; i += 3) {
                int first = buffer.get(i);
                assertThat(buffer.subList(i, i + 3)).containsExactly(first, first + 1, first + 2);
            }
        }
    }

    @Test
    void deleteAndCreateOfOneEntityDoNotOverlap() throws Exception {
        Map<String, String> store = new HashMap<>(); // guarded by the lane of the only entity
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        Callable<Boolean> create = () -> {
            overlaps.addAndGet(inside.getAndIncrement());
            boolean created = store.putIfAbsent("42", "new") == null;
            Thread.yield();
            assertThat(store).containsEntry("42", "new");
            inside.decrementAndGet();
            return created;
        };
        Callable<Boolean> delete = () -> {
            overlaps.addAndGet(inside.getAndIncrement());
            boolean deleted = store.remove("42") != null;
            Thread.yield();
            assertThat(store).isEmpty();
            inside.decrementAndGet();
            return deleted;
        };
        List<CompletableFuture<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            results.add(lanes.submit("42", i % 2 == 0 ? create : delete));
        }

        for (CompletableFuture<Boolean> result : results) {
            assertThat(Soon.result(result)).isTrue();
        }
        assertThat(overlaps).hasValue(0);
    }

    @Test
    void anOperationBegunInOneThreadMayBeEndedInAnother() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            Hold begun = lanes.hold("order");
            CompletableFuture<Boolean> next = lanes.submit("order", () -> true);
            assertThat(next).isNotDone();
            Thread other = new Thread(begun::close);
            other.start();
            Soon.ended(other);
            assertThat(Soon.result(next)).isTrue();
        }
    }

    /** A million of each; others with {@code -Dlanekeeper.bulks}. */
    @Test
    void bulkDeletesInOppositeOrdersNeverBlockEachOther() throws Exception {
        int each = Integer.getInteger("lanekeeper.bulks", 1_000_000);
        int[] plain = new int[1]; // both keys guard it
        Semaphore room = new Semaphore(1_000);
        CyclicBarrier start = new CyclicBarrier(2);
        List<CompletableFuture<Void>> producers = new ArrayList<>();
        for (List<String> keys : List.of(List.of("e1", "e2"), List.of("e2", "e1"))) {
            producers.add(CompletableFuture.runAsync(
                    () -> unchecked(() -> {
                        Soon.met(start);
                        for (int i = 0; i < each; i++) {
                            room.acquire();
                            lanes.submitAll(keys, () -> plain[0]++).thenRun(room::release);
                        }
                        return true;
                    }),
                    pool));
        }
        for (CompletableFuture<Void> producer : producers) {
            producer.get();
        }
        Soon.closed(lanes);

        assertThat(plain[0]).isEqualTo(2 * each);
    }

    @Test
    void aSystemResetHappensAmongRunningOperationsAndEntitiesBeingCreated() throws Exception {
        Map<Integer, String> entities = new HashMap<>(); // guarded: see the two uses
        AtomicInteger running = new AtomicInteger();
        AtomicInteger metAReset = new AtomicInteger();
        AtomicBoolean resetting = new AtomicBoolean();
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger created = new AtomicInteger();
        Semaphore room = new Semaphore(500);
        CompletableFuture<Void> creators = CompletableFuture.runAsync(
                () -> unchecked(() -> {
                    while (!enough.get()) {
                        room.acquire();
                        int entity = created.incrementAndGet(); // a key that nobody has seen before
                        lanes.submit("entity " + entity, () -> {
                                    running.incrementAndGet();
                                    metAReset.addAndGet(resetting.get() ? 1 : 0);
                                    synchronized (entities) { // against other entities, not against a reset
                                        entities.put(entity, "new");
                                    }
                                    metAReset.addAndGet(resetting.get() ? 1 : 0);
                                    return running.decrementAndGet();
                                })
                                .thenRun(room::release);
                    }
                    return true;
                }),
                pool);

        for (int reset = 0; reset < 300; reset++) {
            int ran = lanes.runExclusively(
                    () -> {
                        resetting.set(true);
                        int inside = running.get();
                        entities.clear(); // without its lock: nothing else is going on
                        Thread.yield();
                        assertThat(entities).isEmpty();
                        resetting.set(false);
                        return inside;
                    },
                    LONG);
            assertThat(ran).as("operations inside reset %d", reset).isZero();
            int before = created.get();
            while (created.get() == before) { // work goes on between two resets
                Thread.onSpinWait();
            }
        }
        enough.set(true);
        Soon.result(creators);
        Soon.closed(lanes);

        assertThat(metAReset).hasValue(0);
    }

    @Test
    void theSameProductAndBatchWaitsAndOthersPass() throws Exception {
        Hold hold = lanes.hold("42_B7");
        CompletableFuture<Boolean> same = lanes.submit(String.join("_", "42", "B7"), () -> true);

        for (String other : List.of("42_B8", "43_B7", "4_2B7", "42_B77")) {
            assertThat(Soon.result(lanes.submit(other, () -> other))).isEqualTo(other);
        }
        assertThat(same).isNotDone();
        hold.close();

        assertThat(Soon.result(same)).isTrue();
    }

    @Test
    void thirtyKeysWithTenCallersEachAreThirtyComputationsInParallel() throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(30);
        ExecutorService callers = Executors.newFixedThreadPool(300);
        try {
            SingleFlight<Integer, String> flight = SingleFlight.on(workers);
            CyclicBarrier start = new CyclicBarrier(300);
            CyclicBarrier allAtOnce = new CyclicBarrier(30);
            CountDownLatch asked = new CountDownLatch(300);
            AtomicInteger computations = new AtomicInteger();
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int caller = 0; caller < 300; caller++) {
                int key = caller % 30;
                answers.add(CompletableFuture.supplyAsync(
                        () -> unchecked(() -> {
                            Soon.met(start);
                            CompletableFuture<String> answer = flight.get(
                                    key,
                                    wanted -> unchecked(() -> {
                                        computations.incrementAndGet();
                                        Soon.met(allAtOnce); // only if all thirty run at one time
                                        Soon.reached(asked);
                                        return "value of " + wanted;
                                    }));
                            asked.countDown();
                            return Soon.result(answer);
                        }),
                        callers));
            }
            Set<String> values = new HashSet<>();
            for (CompletableFuture<String> answer : answers) {
                values.add(Soon.result(answer));
            }

            assertThat(computations).hasValue(30);
            assertThat(values).hasSize(30);
            assertThat(flight.underWay()).isZero();
        } finally {
            workers.shutdownNow();
            callers.shutdownNow();
        }
    }

    private static <T> T unchecked(Callable<T> body) {
        try {
            return body.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
