package dev.lanekeeper.simulator.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);

    @Test
    void withoutATerminalItIsALineEveryFewSecondsAndOneAtTheEnd() {
        AtomicLong clock = new AtomicLong();
        try (Progress progress = new LineProgress("sending", 2_000, out, clock::get)) {
            for (int i = 1; i <= 2_000; i++) {
                clock.addAndGet(LineProgress.EVERY_NANOS / 1_000);
                progress.stepTo(i);
            }
        }
        assertThat(bytes.toString(UTF_8))
                .isEqualToNormalizingNewlines("sending: 1,000 of 2,000 (50%)\nsending: 2,000 of 2,000 (100%)\n");
    }

    @Test
    void anEarlyEndSaysHowFarItCame() {
        try (Progress progress = Progress.start("sending", 10, out, 0)) {
            progress.stepTo(3);
        }
        assertThat(bytes.toString(UTF_8)).isEqualToNormalizingNewlines("sending: 3 of 10 (30%)\n");
    }

    @Test
    void nothingToDoIsAllDone() {
        Progress.start("sending", 0, out, 0).close();
        assertThat(bytes.toString(UTF_8)).isEqualToNormalizingNewlines("sending: 0 of 0 (100%)\n");
    }

    @Test
    void onATerminalItIsABarThatFits() {
        try (Progress progress = Progress.start("sending", 10, out, 60)) {
            progress.stepTo(10);
        }
        String drawn = bytes.toString(UTF_8);
        assertThat(drawn).contains("\r").contains("10/10");
        assertThat(drawn.split("[\r\n]+")).allSatisfy(line -> assertThat(line).hasSizeLessThan(60));
    }
}
