package dev.lanekeeper.benchmarks.serial;

import com.google.common.util.concurrent.MoreExecutors;
import com.jano7.executor.KeySequentialRunner;
import dev.lanekeeper.lanes.Lanes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** What is measured: the lanes, what a team would have used in their place, and the pool below them all. */
public enum SerialPeer {
    LANES("Lanes.submit", true) {
        @Override
        public KeyExecutor on(Executor workers) {
            Lanes<String> lanes = Lanes.<String>builder().executor(workers).build();
            return (key, task) -> {
                var unused = lanes.submit(key, task);
            };
        }
    },
    FUTURE_CHAIN("chain of futures", true) {
        @Override
        public KeyExecutor on(Executor workers) {
            return new FutureChains(workers);
        }
    },
    JANO7("jano7 KeySequentialRunner", true) {
        @Override
        public KeyExecutor on(Executor workers) {
            KeySequentialRunner<String> runner = new KeySequentialRunner<>(workers);
            return runner::run;
        }
    },
    GUAVA("Guava sequential per key", true) {
        @Override
        public KeyExecutor on(Executor workers) {
            ConcurrentHashMap<String, Executor> executors = new ConcurrentHashMap<>();
            return (key, task) -> executors
                    .computeIfAbsent(key, k -> MoreExecutors.newSequentialExecutor(workers))
                    .execute(task);
        }
    },
    POOL("plain pool, no order", false) {
        @Override
        public KeyExecutor on(Executor workers) {
            return (key, task) -> workers.execute(task);
        }
    };

    private final String title;
    private final boolean exact;

    SerialPeer(String title, boolean exact) {
        this.title = title;
        this.exact = exact;
    }

    /** A new one, with no key in it, on the threads of {@code workers}. */
    public abstract KeyExecutor on(Executor workers);

    /** How tables call it. */
    public String title() {
        return title;
    }

    /** Whether it keeps the order of each key. */
    public boolean exact() {
        return exact;
    }
}
