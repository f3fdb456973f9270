package dev.lanekeeper.lanes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The oracle: lanes so simple that they can be seen to be right. A lane is a queue in a map, and every step is one {@code
 * compute} of that map: to come is to append, to leave is to take the head away, and an empty queue is no entry. What heads
 * its queues runs, on the executor, outside of any {@code compute}. Only a bulk takes a lock, so that no other bulk comes
 * between its appends.
 *
 * <p>Slow, and without pauses, views and care for refusals. With a fault it is what the checks must find.
 */
final class ComputeLanes implements ProgrammeRun.Subject {
    /** What can be wrong with lanes. */
    enum Fault {
        NONE,
        LANE_FORGOTTEN_WHILE_ITS_TASK_RUNS,
        LEAVES_WHEN_THE_TASK_RETURNS,
        NEWEST_FIRST,
        FORTIETH_TOLD_BUT_NOT_RUN,
        FORTIETH_RUN_TWICE,
        EMPTY_LANES_KEPT,
        BULK_TAKES_ITS_FIRST_LANE_ONLY,
        CANCELLED_TASKS_RUN,
        FAILURES_ARE_SWALLOWED,
        HOLDS_GRANTED_AT_ONCE
    }

    private final ConcurrentHashMap<Integer, ArrayDeque<Turn>> lanes = new ConcurrentHashMap<>();
    private final AtomicInteger turns = new AtomicInteger();
    private final Object bulks = new Object();
    private final Executor executor;
    private final Fault fault;

    ComputeLanes(Executor executor, Fault fault) {
        this.executor = executor;
        this.fault = fault;
    }

    /** Somebody in line: in several lines, for a bulk. */
    private final class Turn {
        private final List<Integer> keys;
        private final Runnable body;
        private final AtomicInteger notYetHead;
        private final boolean fortieth = turns.incrementAndGet() % 40 == 0;

        Turn(List<Integer> keys, Runnable body) {
            this.keys = fault == Fault.BULK_TAKES_ITS_FIRST_LANE_ONLY ? keys.subList(0, 1) : keys;
            this.body = body;
            this.notYetHead = new AtomicInteger(this.keys.size());
        }

        void come() {
            int[] heads = new int[1];
            synchronized (bulks) {
                for (Integer key : keys) {
                    lanes.compute(key, (same, old) -> {
                        ArrayDeque<Turn> queue = old == null ? new ArrayDeque<>() : old;
                        heads[0] += queue.isEmpty() ? 1 : 0;
                        queue.addLast(this);
                        return queue;
                    });
                }
            }
            heads(heads[0]);
        }

        void heads(int lines) {
            if (lines > 0 && notYetHead.addAndGet(-lines) == 0) {
                executor.execute(this::run);
            }
        }

        private void run() {
            if (fault == Fault.LANE_FORGOTTEN_WHILE_ITS_TASK_RUNS) {
                keys.forEach(key -> lanes.computeIfPresent(key, (same, queue) -> queue.size() == 1 ? null : queue));
            }
            body.run();
        }

        void leave() {
            List<Turn> next = new ArrayList<>();
            for (Integer key : keys) {
                lanes.computeIfPresent(key, (same, queue) -> {
                    queue.removeFirst();
                    if (queue.isEmpty()) {
                        return fault == Fault.EMPTY_LANES_KEPT ? queue : null;
                    }
                    if (fault == Fault.NEWEST_FIRST
                            && queue.getLast().keys.size() == 1) { // bulks would block each other
                        queue.addFirst(queue.removeLast());
                    }
                    next.add(queue.getFirst());
                    return queue;
                });
            }
            next.forEach(turn -> turn.heads(1));
        }
    }

    @Override
    public <T> CompletableFuture<T> submit(List<Integer> keys, Callable<T> task) {
        return submitAsync(keys, () -> {
            try {
                return CompletableFuture.completedFuture(task.call());
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    @Override
    @SuppressWarnings("NullAway") // a swallowed failure gives null
    public <T> CompletableFuture<T> submitAsync(List<Integer> keys, Supplier<CompletionStage<T>> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Turn[] mine = new Turn[1];
        mine[0] = new Turn(keys, () -> {
            if (result.isDone() && fault != Fault.CANCELLED_TASKS_RUN) {
                mine[0].leave();
                return;
            }
            if (mine[0].fortieth && fault == Fault.FORTIETH_TOLD_BUT_NOT_RUN) {
                mine[0].leave();
                result.complete(null);
                return;
            }
            CompletionStage<T> stage = task.get();
            if (mine[0].fortieth && fault == Fault.FORTIETH_RUN_TWICE) {
                stage = stage.thenCompose(value -> task.get());
            }
            if (fault == Fault.LEAVES_WHEN_THE_TASK_RETURNS) {
                mine[0].leave();
            }
            stage.whenComplete((value, failure) -> {
                if (fault != Fault.LEAVES_WHEN_THE_TASK_RETURNS) {
                    mine[0].leave();
                }
                if (failure == null || fault == Fault.FAILURES_ARE_SWALLOWED) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
                }
            });
        });
        mine[0].come();
        return result;
    }

    @Override
    public CompletableFuture<Hold> acquire(List<Integer> keys) {
        CompletableFuture<Hold> result = new CompletableFuture<>();
        if (fault == Fault.HOLDS_GRANTED_AT_ONCE) {
            result.complete(() -> {});
            return result;
        }
        Turn[] mine = new Turn[1];
        mine[0] = new Turn(keys, () -> {
            if (!result.complete(mine[0]::leave)) {
                mine[0].leave();
            }
        });
        mine[0].come();
        return result;
    }

    @Override
    public int live() {
        return lanes.size();
    }
}
