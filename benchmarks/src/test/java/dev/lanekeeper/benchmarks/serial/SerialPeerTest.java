package dev.lanekeeper.benchmarks.serial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.benchmarks.Overlap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer that keeps no order would be fast, and the comparison worth nothing. */
class SerialPeerTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService workers = Executors.newFixedThreadPool(2);

    @AfterEach
    void stop() {
        workers.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POOL")
    void tasks_of_a_key_run_one_at_a_time(SerialPeer peer) {
        assertThat(overlap(peer.on(workers), "a", "a", SHORT)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void tasks_of_different_keys_run_in_parallel(SerialPeer peer) {
        assertThat(overlap(peer.on(workers), "a", "b", LONG)).isTrue();
    }

    @Test
    void the_pool_which_excludes_nothing_is_found() {
        assertThat(overlap(SerialPeer.POOL.on(workers), "a", "a", LONG)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POOL")
    void tasks_of_a_key_run_in_order(SerialPeer peer) throws InterruptedException {
        assertThat(ranAs(peer.on(workers))).isSorted();
    }

    @Test
    void an_executor_that_turns_the_order_around_is_found() throws InterruptedException {
        List<Runnable> kept = new ArrayList<>();
        KeyExecutor backwards = (key, task) -> {
            kept.add(0, task);
            if (kept.size() == TASKS) {
                kept.forEach(Runnable::run);
            }
        };
        assertThat(ranAs(backwards))
                .isNotEqualTo(IntStream.range(0, TASKS).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource
    void the_benchmark_runs_with_every_peer(SerialPeer peer) {
        SerialBenchmark benchmark = new SerialBenchmark();
        benchmark.peer = peer;
        benchmark.keys = 1000;
        benchmark.setup();
        SerialBenchmark.Batch batch = new SerialBenchmark.Batch();
        benchmark.submitAndRun(batch);
        assertThat(batch.left()).isZero();
        benchmark.tearDown();
    }

    private static final int TASKS = 1000;

    private static List<Integer> ranAs(KeyExecutor executor) throws InterruptedException {
        List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(TASKS);
        for (int i = 0; i < TASKS; i++) {
            int number = i;
            executor.submit("a", () -> {
                ran.add(number);
                done.countDown();
            });
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        return ran;
    }

    private static boolean overlap(KeyExecutor executor, String first, String second, Duration patience) {
        Overlap overlap = new Overlap(patience);
        executor.submit(first, overlap::first);
        overlap.awaitFirst();
        executor.submit(second, overlap::second);
        return overlap.found();
    }
}
