package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.HandlerContext;
import org.slf4j.MDC;

/**
 * Puts into the log context (MDC) of the handler's thread which record it has. The key stays out: it is the customer's.
 * Thread-safe.
 */
final class LogContext implements HandlerContext {
    static final String TOPIC = "lanekeeper.topic";
    static final String PARTITION = "lanekeeper.partition";
    static final String OFFSET = "lanekeeper.offset";
    static final String ATTEMPT = "lanekeeper.attempt";

    @Override
    public Scope enter(Delivery<?, ?> delivery) {
        MDC.put(TOPIC, delivery.record().topic());
        MDC.put(PARTITION, Integer.toString(delivery.record().partition()));
        MDC.put(OFFSET, Long.toString(delivery.record().offset()));
        MDC.put(ATTEMPT, Integer.toString(delivery.attempt()));
        return LogContext::clear;
    }

    private static void clear() {
        MDC.remove(TOPIC);
        MDC.remove(PARTITION);
        MDC.remove(OFFSET);
        MDC.remove(ATTEMPT);
    }
}
