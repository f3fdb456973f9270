package dev.lanekeeper.engine.handler;

import org.jspecify.annotations.Nullable;

/**
 * What surrounds the call of a handler: the place to open a trace or to fill the log context, without the engine knowing
 * either. Called for each attempt, several at once: it must be thread-safe, and quick. What it throws is reported once and
 * changes nothing.
 *
 * <p>With OpenTelemetry, for one: {@code enter} reads the parent from {@code delivery.header("traceparent")}, starts a span
 * and makes it current; {@code leave} closes that scope; {@code ended} ends the span.
 */
@FunctionalInterface
public interface HandlerContext {
    /** An attempt is about to begin, on this thread. */
    Scope enter(Delivery<?, ?> delivery);

    /** One attempt. */
    @FunctionalInterface
    interface Scope {
        /** The handler's call has returned or thrown; on the thread of {@link HandlerContext#enter}. */
        void leave();

        /**
         * The attempt has ended, after {@link #leave}: for an asynchronous handler when its stage has completed, on the thread
         * that completed it.
         *
         * @param failure why it failed; {@code null} if it succeeded
         */
        default void ended(@Nullable Throwable failure) {}
    }
}
