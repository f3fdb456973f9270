package dev.lanekeeper.demo.planted.intake;

import dev.lanekeeper.demo.planted.lanes.Talkative;

/** Knows a room that knows this one. */
public final class Nosy {
    /** Has {@code talkative} talk. */
    public void listenTo(Talkative talkative) {
        talkative.talkAbout(this);
    }
}
