package dev.lanekeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class SteppingExecutorTest {
    private final SteppingExecutor executor = new SteppingExecutor();
    private final List<Integer> log = new ArrayList<>();

    @Test
    void runsOneTaskAStepInOrder() {
        add(1, 2);
        assertThat(log).isEmpty();
        assertThat(executor.runNext()).isTrue();
        assertThat(log).containsExactly(1);
        assertThat(executor.queued()).isEqualTo(1);
        assertThat(executor.runNext()).isTrue();
        assertThat(executor.runNext()).isFalse();
        assertThat(log).containsExactly(1, 2);
    }

    @Test
    void runAllIncludesWhatTasksAdd() {
        executor.execute(() -> add(2));
        add(1);
        assertThat(executor.runAll()).isEqualTo(3);
        assertThat(log).containsExactly(1, 2);
    }

    @Test
    void tasksThatAddEachOtherForEverAreAnError() {
        executor.execute(this::again);
        assertThatThrownBy(executor::runAll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no end");
    }

    private void again() {
        executor.execute(this::again);
    }

    @Test
    void whatATaskThrowsReachesTheTest() {
        executor.execute(() -> {
            throw new IllegalStateException("planted");
        });
        add(1);
        assertThatThrownBy(executor::runNext).hasMessage("planted");
        assertThat(executor.runNext()).isTrue();
    }

    @Test
    @ExtendWith(Seed.class)
    void randomStepsSeeEveryOrder(Random random) {
        Set<List<Integer>> orders = new HashSet<>();
        for (int round = 0; round < 200; round++) {
            log.clear();
            add(1, 2, 3);
            assertThat(executor.runAllRandom(random)).isEqualTo(3);
            orders.add(List.copyOf(log));
        }
        assertThat(orders).hasSize(6);
    }

    private void add(int... numbers) {
        for (int number : numbers) {
            executor.execute(() -> log.add(number));
        }
    }
}
