package dev.lanekeeper.engine.simulation.fate;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A stack of its own for code that blocks: a thread that runs only while whoever let it run waits for it. So there is still one
 * thing at a time, and what is written on either side is seen on the other.
 */
public final class Strand extends Thread {
    private final Semaphore go = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private @Nullable Runnable task;
    private @Nullable Throwable thrown;
    private boolean closing;

    Strand() {
        super("strand");
        setDaemon(true);
    }

    /**
     * Has the calling strand wait, others going on meanwhile.
     *
     * @throws HostDiedException if {@code host} was killed meanwhile
     * @throws InterruptedException if it was interrupted by the end of that time
     */
    public static void sleep(Clockwork clockwork, Host host, long nanos) throws InterruptedException {
        if (!(Thread.currentThread() instanceof Strand strand)) {
            throw new IllegalStateException("only strands may block");
        }
        if (strand.closing) { // it is being unwound
            throw new HostDiedException(host.name());
        }
        clockwork.after(nanos, host, strand::goOn);
        strand.back.release();
        strand.go.acquireUninterruptibly();
        if (strand.closing || host.dead()) {
            throw new HostDiedException(host.name());
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("woken up");
        }
    }

    /** Runs {@code work} until it ends or sleeps. */
    void begin(Runnable work) {
        task = work;
        goOn();
    }

    private void goOn() {
        go.release();
        back.acquireUninterruptibly();
        Throwable failure = thrown;
        if (failure != null) {
            thrown = null;
            throw new IllegalStateException(failure);
        }
    }

    boolean idle() {
        return task == null;
    }

    /** Ends it, unwinding what it is at. */
    void end() {
        closing = true;
        go.release();
        back.acquireUninterruptibly();
    }

    @Override
    public void run() {
        boolean over = false; // read while it is this one's turn only
        while (!over) {
            go.acquireUninterruptibly();
            Runnable work = task;
            if (work != null && !closing) {
                try {
                    work.run();
                } catch (HostDiedException e) {
                    // nothing is left to do
                } catch (Throwable t) { // for whoever waits
                    thrown = t;
                }
                task = null;
            }
            over = closing;
            back.release();
        }
    }
}
