package dev.lanekeeper.simulator.progress;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar that redraws itself. */
final class BarProgress implements Progress {
    private static final int WIDEST_COLUMNS = 100;
    private static final int REDRAW_MILLIS = 200;

    private final ProgressBar bar;

    BarProgress(String task, long total, PrintStream out, int columns) {
        // the width is given, so that the bar does not open the terminal to ask for it
        int width = Math.min(columns, WIDEST_COLUMNS) - 1;
        bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(REDRAW_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(out, width))
                .build();
    }

    @Override
    public void stepTo(long done) {
        bar.stepTo(done);
    }

    @Override
    public void close() {
        bar.close();
    }
}
