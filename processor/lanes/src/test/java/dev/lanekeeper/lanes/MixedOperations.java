package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Singles, bulks, holds and pauses in any order, on one thread, in whatever schedule chance gives; and what came of them, held
 * against the simplest model there is: a list of what arrived. Each operation has begun when all that came before it on its
 * keys has ended, or it has been given up before.
 */
final class MixedOperations {
    private static final Duration LONG = Duration.ofDays(1);

    /** What is put to the test. */
    interface Subject {
        CompletableFuture<Hold> acquire(Integer key);

        CompletableFuture<Hold> acquireAll(List<Integer> keys);

        CompletableFuture<?> submitAll(List<Integer> keys, Runnable task);

        CompletableFuture<Pause> pause(PauseMode mode, Duration timeout);
    }

    /** One operation, in the order of arrival. */
    private static final class Operation {
        final List<Integer> keys;
        boolean begun;
        boolean ended;

        @Nullable
        Hold hold;

        Operation(List<Integer> keys) {
            this.keys = keys;
        }
    }

    private final RandomGenerator random;
    private final SteppingExecutor executor = new SteppingExecutor();
    private final Subject subject;
    private final List<Operation> arrived = new ArrayList<>();
    private final List<CompletableFuture<Hold>> acquiring = new ArrayList<>();
    private final List<CompletableFuture<Pause>> pauses = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private boolean paused;
    private int begun;
    private int held;

    private MixedOperations(RandomGenerator random, Function<Executor, Subject> maker) {
        this.random = random;
        this.subject = maker.apply(executor);
    }

    /** What was wrong, in words; empty if nothing was. */
    static List<String> faults(RandomGenerator random, int operations, Function<Executor, Subject> maker) {
        MixedOperations mixed = new MixedOperations(random, maker);
        int left = operations;
        while (left > 0) {
            left -= mixed.step() ? 1 : 0;
        }
        mixed.finish();
        return mixed.faults;
    }

    /** Whether the step brought an operation. */
    private boolean step() {
        switch (random.nextInt(10)) {
            case 0, 1 -> submit();
            case 2 -> acquire();
            case 3 -> {
                if (random.nextInt(8) == 0) {
                    askForPause();
                }
                return false;
            }
            case 4, 5 -> {
                giveBack();
                return false;
            }
            case 6 -> {
                endPauses();
                return false;
            }
            case 7 -> {
                cancelOne();
                return false;
            }
            default -> {
                executor.runRandom(random);
                return false;
            }
        }
        return true;
    }

    private List<Integer> keys() {
        TreeSet<Integer> keys = new TreeSet<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            keys.add(random.nextInt(5));
        }
        return List.copyOf(keys);
    }

    private void submit() {
        Operation operation = arrive(keys());
        CompletableFuture<?> unused = subject.submitAll(operation.keys, () -> {
            begin(operation);
            operation.ended = true;
        });
    }

    private void acquire() {
        Operation operation = arrive(keys());
        CompletableFuture<Hold> future = operation.keys.size() == 1
                ? subject.acquire(operation.keys.get(0))
                : subject.acquireAll(operation.keys);
        acquiring.add(future);
        CompletableFuture<Void> unused = future.handle((hold, failure) -> {
            if (hold == null) {
                operation.ended = true; // given up
            } else {
                begin(operation);
                operation.hold = hold;
            }
            return null;
        });
    }

    private Operation arrive(List<Integer> keys) {
        Operation operation = new Operation(keys);
        arrived.add(operation);
        return operation;
    }

    private void begin(Operation operation) {
        begun++;
        if (operation.begun || operation.ended) {
            faults.add("begun twice");
        }
        operation.begun = true;
        if (paused) {
            faults.add("begun inside a pause");
        }
        for (Operation before : arrived) {
            if (before == operation) {
                return;
            }
            if (!before.ended && before.keys.stream().anyMatch(operation.keys::contains)) {
                faults.add("begun before one that came earlier had ended");
            }
        }
    }

    private void giveBack() {
        List<Operation> holders = arrived.stream()
                .filter(each -> each.hold != null && !each.ended)
                .toList();
        if (!holders.isEmpty()) {
            giveBack(holders.get(random.nextInt(holders.size())));
        }
        if (arrived.size() > 200) {
            arrived.removeIf(each -> each.ended);
        }
    }

    private static void giveBack(Operation operation) {
        operation.ended = true;
        Hold hold = operation.hold;
        if (hold != null) {
            hold.close();
        }
    }

    private void cancelOne() {
        if (!acquiring.isEmpty()) {
            acquiring.remove(random.nextInt(acquiring.size())).cancel(false);
        }
    }

    private void askForPause() {
        CompletableFuture<Pause> future =
                subject.pause(random.nextBoolean() ? PauseMode.RUNNING : PauseMode.SUBMITTED, LONG);
        pauses.add(future);
        CompletableFuture<Void> unused = future.thenAccept(pause -> {
            held++;
            if (paused) {
                faults.add("two pauses at once");
            }
            if (arrived.stream().anyMatch(each -> each.begun && !each.ended)) {
                faults.add("a pause was held while something ran");
            }
            paused = true;
        });
    }

    private void endPauses() {
        for (int i = 0; i < pauses.size(); i++) {
            if (pauses.get(i).isDone()) {
                Pause pause = pauses.remove(i).join();
                paused = false;
                pause.close();
                return;
            }
        }
    }

    private void finish() {
        for (int idle = 0; idle < 10; idle++) {
            int before = begun + held;
            executor.runAllRandom(random);
            endPauses();
            arrived.stream().filter(each -> each.hold != null && !each.ended).forEach(MixedOperations::giveBack);
            idle = begun + held == before ? idle : 0;
        }
        if (arrived.stream().anyMatch(each -> !each.ended)) {
            faults.add("lost");
        }
        if (!pauses.isEmpty()) {
            faults.add("a pause was never held");
        }
    }
}
