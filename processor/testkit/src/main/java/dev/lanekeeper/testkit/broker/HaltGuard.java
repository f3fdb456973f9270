package dev.lanekeeper.testkit.broker;

import java.util.concurrent.CompletableFuture;
import kafka.server.FaultHandlerFactory;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.server.fault.FaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a broker that gives up from taking the whole JVM with it: by itself Kafka halts the process, for example when
 * its data folder disappears. Thread-safe. Kafka has one place for this in a JVM: of several brokers, the one started
 * last is told; all are kept from halting.
 */
final class HaltGuard implements FaultHandlerFactory {
    private static final Logger LOG = LoggerFactory.getLogger(HaltGuard.class);

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /** Completes with what made the broker give up; never completes exceptionally. */
    CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    /** Throws what made the broker give up, if it has. */
    void check() {
        Throwable fault = failure.getNow(null);
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
    }

    /** Takes the place of exit and halt, for the rest of the JVM's life: a closing broker may still call them. */
    void install() {
        Exit.setExitProcedure((status, message) -> refuse("exit", status, message));
        Exit.setHaltProcedure((status, message) -> refuse("halt", status, message));
    }

    private void refuse(String what, int status, String message) {
        IllegalStateException refused = new IllegalStateException(
                "the embedded broker wanted to " + what + " the JVM with status " + status + ": " + message);
        report(refused);
        throw refused; // no caller of exit or halt expects to go on
    }

    private void report(Throwable fault) {
        if (failure.complete(fault)) {
            LOG.error("The embedded broker has failed", fault);
        }
    }

    @Override
    public FaultHandler build(String name, boolean fatal, Runnable action) {
        return (message, cause) -> {
            RuntimeException fault = new IllegalStateException(name + ": " + message, cause);
            if (fatal) {
                report(fault);
            } else {
                LOG.warn("The embedded broker met a fault", fault);
            }
            action.run();
            return fault;
        };
    }
}
