package dev.lanekeeper.app.cli;

/** What a command tells its caller. */
public final class ExitCode {
    /** It did what it was asked to. */
    public static final int DONE = 0;
    /** It failed while running. */
    public static final int FAILED = 1;
    /** It was called or configured wrongly, and did nothing. */
    public static final int USAGE = 2;
    /** It ran, and the audit found a broken promise. */
    public static final int VIOLATION = 3;

    private ExitCode() {}
}
