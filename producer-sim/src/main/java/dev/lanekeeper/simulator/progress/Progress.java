package dev.lanekeeper.simulator.progress;

import java.io.PrintStream;

/**
 * How far a long command is. Stepped by one thread; closing ends the display and may be done once.
 *
 * <p>On a terminal it is a bar that redraws itself; anywhere else it is one plain line every few seconds, without
 * control characters. A terminal is what the launcher says is one: it sets the system property {@value
 * #COLUMNS_PROPERTY} to the width of the terminal that standard error goes to, and leaves it out otherwise, because Java
 * cannot ask about standard error by itself.
 */
public sealed interface Progress extends AutoCloseable permits BarProgress, LineProgress, NoProgress {
    /** Name of the system property that holds the width of the terminal in columns. */
    String COLUMNS_PROPERTY = "lanekeeper.terminal.columns";

    /** Shows a task of {@code total} steps on standard error. */
    static Progress start(String task, long total) {
        return start(task, total, System.err, Integer.getInteger(COLUMNS_PROPERTY, 0));
    }

    /** Shows nothing. */
    static Progress none() {
        return NoProgress.INSTANCE;
    }

    /** Shows a task on {@code out}: as a bar of at most {@code columns}, or as lines if there are none. */
    static Progress start(String task, long total, PrintStream out, int columns) {
        return columns > 0
                ? new BarProgress(task, total, out, columns)
                : new LineProgress(task, total, out, System::nanoTime);
    }

    /** Says that {@code done} of the steps are done; cheap enough to call for each of them. */
    void stepTo(long done);

    /** Ends the display. */
    @Override
    void close();
}
