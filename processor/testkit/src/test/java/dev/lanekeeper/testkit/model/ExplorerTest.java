package dev.lanekeeper.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExplorerTest {
    @Test
    void findsTheLostUpdateOfTwoThreadsThatReadAndThenWrite() {
        Exploration found = Explorer.explore(new Counting(2, false), 1_000);

        assertThat(found.fault()).hasValueSatisfying(fault -> {
            assertThat(fault.what()).isEqualTo("1 counted, of 2");
            assertThat(fault.story()).hasSize(4).startsWith("0: read 0", "1: read 0");
        });
    }

    @Test
    void passesTheSameCounterWithOneAtomicStep() {
        Exploration found = Explorer.explore(new Counting(3, true), 1_000);

        assertThat(found.fault()).isEmpty();
        assertThat(found.states())
                .as("each subset of three threads that have counted")
                .isEqualTo(8);
        assertThat(found.steps()).isEqualTo(12);
        assertThat(found.ends()).isEqualTo(1);
    }

    @Test
    void findsADeadlock() {
        Exploration found = Explorer.explore(new TwoLocks(false), 1_000);

        assertThat(found.fault()).hasValueSatisfying(fault -> {
            assertThat(fault.what()).isEqualTo("0 of 2 have both locks behind them");
            assertThat(fault.story()).hasSize(2);
        });
        assertThat(Explorer.explore(new TwoLocks(true), 1_000).fault()).isEmpty();
    }

    @Test
    void stopsAtAnInvariantBeforeTheEnd() {
        Exploration found = Explorer.explore(
                new Counting(3, true) {
                    @Override
                    public @Nullable String fault(int[] words) {
                        return words[0] == 2 ? "two" : null;
                    }
                },
                1_000);

        assertThat(found.fault())
                .hasValueSatisfying(fault -> assertThat(fault.story()).hasSize(2));
    }

    @Test
    void refusesAModelThatIsLargerThanThought() {
        assertThatThrownBy(() -> Explorer.explore(new Counting(3, true), 7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more than 7 states");
    }

    /** Word 0 counts; each thread has a program counter and a local variable. */
    private static class Counting implements Model {
        private final int threads;
        private final boolean atomic;

        Counting(int threads, boolean atomic) {
            this.threads = threads;
            this.atomic = atomic;
        }

        @Override
        public int threads() {
            return threads;
        }

        @Override
        public int[] initial() {
            return new int[1 + 2 * threads];
        }

        @Override
        public @Nullable String step(int thread, int[] words) {
            int pc = 1 + 2 * thread;
            if (words[pc] == 0 && !atomic) {
                words[pc] = 1;
                words[pc + 1] = words[0];
                return "read " + words[0];
            }
            if (words[pc] < 2) {
                words[0] = 1 + (atomic ? words[0] : words[pc + 1]);
                words[pc] = 2;
                words[pc + 1] = 0;
                return "wrote " + words[0];
            }
            return null;
        }

        @Override
        public @Nullable String fault(int[] words) {
            return null;
        }

        @Override
        public @Nullable String faultAtEnd(int[] words) {
            return words[0] == threads ? null : words[0] + " counted, of " + threads;
        }
    }

    /** Two threads take two locks (words 0 and 1), in one order or in opposite ones, and give both back. */
    private record TwoLocks(boolean oneOrder) implements Model {
        @Override
        public int threads() {
            return 2;
        }

        @Override
        public int[] initial() {
            return new int[4];
        }

        @Override
        public @Nullable String step(int thread, int[] words) {
            int done = words[2 + thread];
            int lock = oneOrder || thread == 0 ? done : 1 - done;
            if (done == 2) {
                words[0] = 0;
                words[1] = 0;
                words[2 + thread] = 3;
                return "gave both back";
            }
            if (done == 3 || words[lock] != 0) {
                return null;
            }
            words[lock] = 1;
            words[2 + thread]++;
            return "took lock " + lock;
        }

        @Override
        public @Nullable String fault(int[] words) {
            return null;
        }

        @Override
        public @Nullable String faultAtEnd(int[] words) {
            long through = java.util.stream.IntStream.of(words[2], words[3])
                    .filter(done -> done == 3)
                    .count();
            return through == 2 ? null : through + " of 2 have both locks behind them";
        }
    }
}
