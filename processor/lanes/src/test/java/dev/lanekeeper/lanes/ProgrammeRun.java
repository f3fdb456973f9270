package dev.lanekeeper.lanes;

import dev.lanekeeper.lanes.Programme.Kind;
import dev.lanekeeper.lanes.Programme.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts whatever claims to be lanes through a {@link Programme}, on real threads, and writes down what comes of it. */
final class ProgrammeRun {
    /** What is put to the test. Keys are sorted; if there is one, it is no bulk. */
    interface Subject {
        <T> CompletableFuture<T> submit(List<Integer> keys, Callable<T> task);

        <T> CompletableFuture<T> submitAsync(List<Integer> keys, Supplier<CompletionStage<T>> task);

        CompletableFuture<Hold> acquire(List<Integer> keys);

        int live();
    }

    private final Programme programme;
    private final Subject subject;
    private final ExecutorService elsewhere;
    private final ProgrammeHistory history;

    private ProgrammeRun(Programme programme, Subject subject, ExecutorService elsewhere) {
        this.programme = programme;
        this.subject = subject;
        this.elsewhere = elsewhere;
        this.history = new ProgrammeHistory(programme);
    }

    /** On as many threads as the programme has submitters, {@code workers} that run tasks, and two that end them. */
    static ProgrammeHistory history(Programme programme, int workers, Function<ExecutorService, Subject> maker)
            throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        ExecutorService elsewhere = Executors.newFixedThreadPool(2);
        ExecutorService submitters =
                Executors.newFixedThreadPool(programme.submitters().size());
        try {
            ProgrammeRun run = new ProgrammeRun(programme, maker.apply(pool), elsewhere);
            List<Future<?>> threads = new ArrayList<>();
            for (List<Operation> operations : programme.submitters()) {
                threads.add(submitters.submit(() -> run.submitAll(operations)));
            }
            for (Future<?> thread : threads) {
                Soon.result(thread);
            }
            run.finish();
            return run.history;
        } finally {
            submitters.shutdownNow();
            pool.shutdownNow();
            elsewhere.shutdownNow();
        }
    }

    private Object submitAll(List<Operation> operations) throws Exception {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (Operation operation : operations) {
            CompletableFuture<?> end = perform(operation);
            ends.add(end);
            if (operation.pause()) {
                Soon.result(end);
            }
        }
        for (CompletableFuture<?> end : ends) {
            Soon.result(end);
        }
        return ends;
    }

    /** What was cancelled is told at once and leaves its line later: whoever comes behind it knows. */
    private void finish() throws Exception {
        for (int key = 0; key < programme.keys(); key++) {
            Soon.result(subject.submit(List.of(key), () -> true));
        }
        history.left(subject.live());
    }

    private CompletableFuture<?> perform(Operation operation) throws Exception {
        return switch (operation.kind()) {
            case RETURNS, THROWS, BULK -> noted(operation, subject.submit(operation.keys(), () -> body(operation)));
            case ENDS_LATER, FAILS_LATER ->
                noted(operation, subject.submitAsync(operation.keys(), () -> later(operation)));
            case HOLD, BULK_HOLD -> hold(operation);
            case CANCELLED_IN_LINE -> cancelInLine(operation);
            case CANCELLED_IN_A_RACE -> cancelInARace(operation);
        };
    }

    private CompletableFuture<?> hold(Operation operation) {
        CompletableFuture<Object> end = new CompletableFuture<>();
        CompletableFuture<?> unused = subject.acquire(operation.keys()).thenAccept(hold -> {
            history.begun(operation);
            elsewhere.execute(() -> {
                history.ended(operation);
                hold.close();
                history.outcome(operation, "held");
                end.complete(hold);
            });
        });
        return end;
    }

    private CompletableFuture<?> cancelInLine(Operation operation) throws Exception {
        Hold hold = Soon.result(subject.acquire(operation.keys()));
        CompletableFuture<Integer> future = subject.submit(operation.keys(), () -> body(operation));
        history.cancelled(operation, future.cancel(false));
        hold.close();
        return noted(operation, future);
    }

    private CompletableFuture<?> cancelInARace(Operation operation) {
        CompletableFuture<Integer> future = subject.submit(operation.keys(), () -> body(operation));
        history.cancelled(operation, future.cancel(false));
        return noted(operation, future);
    }

    private Integer body(Operation operation) {
        history.begun(operation);
        history.ended(operation);
        return result(operation);
    }

    private CompletionStage<Integer> later(Operation operation) {
        history.begun(operation);
        return CompletableFuture.supplyAsync(
                () -> {
                    history.ended(operation);
                    return result(operation);
                },
                elsewhere);
    }

    private static Integer result(Operation operation) {
        if (operation.kind() == Kind.THROWS || operation.kind() == Kind.FAILS_LATER) {
            throw new IllegalStateException("planned " + operation.id());
        }
        return operation.id();
    }

    private CompletableFuture<?> noted(Operation operation, CompletableFuture<Integer> future) {
        return future.handle((value, failure) -> {
            history.outcome(operation, failure == null ? "gave " + value : inWords(failure));
            return null;
        });
    }

    private static String inWords(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof CancellationException
                ? "cancelled"
                : "failed with " + (cause == null ? null : cause.getMessage());
    }
}
