package dev.lanekeeper.app.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The wish that a command end in good order, as from SIGTERM or SIGINT. Thread-safe; one for each run of {@link Main}.
 *
 * <p>A command that can end in good order calls {@link #catchSignals} and then waits for {@link #requested}. The process
 * ends when the command has returned, with the command's exit code rather than the signal's.
 */
public final class StopSignal {
    private static final Logger log = LoggerFactory.getLogger(StopSignal.class);

    private final CompletableFuture<Void> requested = new CompletableFuture<>();
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private final boolean ownsProcess;

    /** With {@code ownsProcess} false signals are left to whoever runs commands inside a process of their own. */
    StopSignal(boolean ownsProcess) {
        this.ownsProcess = ownsProcess;
    }

    /** The one that {@code spec}'s command belongs to. */
    public static StopSignal of(CommandSpec spec) {
        return ((Main) spec.root().userObject()).stopSignal();
    }

    /** Completed when the command is asked to end. */
    public CompletableFuture<Void> requested() {
        return requested.copy();
    }

    /** Asks the command to end, as a signal would. */
    public void request() {
        requested.complete(null);
    }

    /**
     * From now on a signal does not end the process but asks the command to end. If it has not returned after {@code
     * longest}, the process ends all the same, with the signal's exit code.
     */
    public void catchSignals(Duration longest) {
        if (!ownsProcess) {
            return;
        }
        Thread hook = new Thread(() -> holdProcess(longest), "lanekeeper-stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Ends the process with {@code code}; does not return. */
    void exit(int code) {
        if (signalled.get()) {
            // The virtual machine is on its way out already, with the signal's code; only a halt can change that.
            Runtime.getRuntime().halt(code);
        }
        ended.countDown();
        Runtime.getRuntime().exit(code);
    }

    private void holdProcess(Duration longest) {
        if (ended.getCount() == 0) {
            return;
        }
        signalled.set(true);
        request();
        try {
            // Never counted down after a signal: the main thread halts the process while this one waits.
            boolean late = !ended.await(longest.toMillis(), TimeUnit.MILLISECONDS);
            if (late) {
                log.warn("not ended after {}; giving up", longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
