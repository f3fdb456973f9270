package dev.lanekeeper.engine.intake;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A delivered record that is on its way: what the intake has to know of it. Made by a {@link Router} for one {@link
 * Assignment}; comes back once through {@link Completions} unless {@link #drop} ended it first.
 */
public interface Routed {
    /** The assignment it was delivered under. */
    Assignment assignment();

    /** Its number in {@link Assignment}'s tracker. */
    long sequence();

    /** Size of key and value, in bytes. */
    int sizeBytes();

    /** Sends it on its way. Called once, on the poll thread, after it was registered; must not block. */
    void dispatch();

    /**
     * Ends it without running it, or without running it again. Called on the poll thread.
     *
     * @return {@code false} if it is running: then it comes back through {@link Completions}
     */
    boolean drop();

    /** Of one that runs: whether foreign code may be at work on it, and not just its results be on their way. Poll thread. */
    default boolean atWork() {
        return true;
    }

    /** Once it is back: whether it reached a durable end. If not, it was given up because its partition was taken away. */
    boolean durable();

    /** Once it is back: what has to be sent in the transaction that commits it; empty without transactions. */
    default List<ProducerRecord<byte[], byte[]>> outputs() {
        return List.of();
    }

    /**
     * Asks for other {@link #outputs}, because the broker will never take one of these. Called on the poll thread, once they
     * are back in its hands; must not block.
     *
     * @param cause what the broker has against it
     * @return completes, on any thread, when {@link #outputs} returns the others
     */
    default CompletableFuture<Void> replaceOutputs(Throwable cause, ProducerRecord<byte[], byte[]> refused) {
        throw new IllegalStateException("not one of the outputs of " + this + ": " + refused, cause);
    }

    /** Link of the completion list; written by {@link Completions#offer}. */
    void nextCompleted(@Nullable Routed next);

    /** Link of the completion list. */
    @Nullable
    Routed nextCompleted();
}
