package dev.lanekeeper.lanes;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A ticket's future that refuses to be waited for on the one thread on which it could never complete, and that tells the ticket
 * when the caller gives it up.
 */
final class GuardedFuture<T> extends CompletableFuture<T> {
    private final Ticket<?> ticket;

    GuardedFuture(Ticket<?> ticket) {
        this.ticket = ticket;
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        refuseSelfWait();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        refuseSelfWait();
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        refuseSelfWait();
        return super.join();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() { // the first step of attaching a dependent
        ticket.watched();
        return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() { // the first step if this is the second of two sources
        ticket.watched();
        return this;
    }

    // -- by the caller before the ticket's turn, or by the ticket itself, which then is not in line any more

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        ticket.giveUpPlaces();
        return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public boolean complete(T value) {
        ticket.giveUpPlaces();
        return super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        ticket.giveUpPlaces();
        return super.completeExceptionally(failure);
    }

    private void refuseSelfWait() {
        if (!isDone()) {
            ticket.refuseToBeAwaitedHere();
        }
    }
}
