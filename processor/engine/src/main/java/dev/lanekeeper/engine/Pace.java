package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.RateLimit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Both rate limits that an attempt has to pass: its lane's, then the engine's. Thread-safe.
 *
 * <p>Whoever has to wait heads its lane meanwhile, on no thread and in no pause's way, and can be dropped. A limit that is
 * raised is felt within a second.
 */
final class Pace {
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LanePace lanes;
    private final EnginePace engine;
    private final Timer timer;

    Pace(RateLimit engine, RateLimit lane, LongSupplier nanoTime, Timer timer) {
        this.lanes = new LanePace(lane, nanoTime);
        this.engine = new EnginePace(engine, nanoTime, timer);
        this.timer = timer;
    }

    LanePace lanes() {
        return lanes;
    }

    EnginePace engine() {
        return engine;
    }

    /** Lets {@code ticket} go on now, or has it started again when it may try again. */
    boolean admits(RecordTicket<?, ?> ticket) {
        long wait = lanes.take(ticket.laneKey());
        if (wait > 0) {
            ticket.waitsFor(LaneHead.Doing.LIMITED);
            if (!timer.schedule(Duration.ofNanos(Math.min(wait, LONGEST_WAIT_NANOS)), ticket::goOn)) {
                ticket.dropUnlessDropped(); // the engine is closed
            }
            return false;
        }
        ticket.paced(); // before the engine's token can be granted on another thread
        if (engine.take(ticket)) {
            return true;
        }
        ticket.waitsFor(LaneHead.Doing.LIMITED);
        return false;
    }
}
