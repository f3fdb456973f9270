package dev.lanekeeper.demo.planted.lanes;

import dev.lanekeeper.demo.planted.intake.Nosy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, and knows a room that knows this one. */
public final class Talkative {
    private final Logger log = LoggerFactory.getLogger(Talkative.class);

    /** Logs something about {@code nosy}. */
    public void talkAbout(Nosy nosy) {
        log.info("{}", nosy);
    }
}
