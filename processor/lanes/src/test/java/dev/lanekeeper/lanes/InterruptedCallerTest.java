package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that is interrupted and whose executor has it do the work itself. */
@Timeout(20)
class InterruptedCallerTest {
    @Test
    void runsItsTasksAndKeepsItsFlag() {
        Lanes<String> lanes = Lanes.<String>builder().executor(Runnable::run).build();
        List<Integer> ran = new ArrayList<>();
        Thread.currentThread().interrupt();
        try {
            List<CompletableFuture<Boolean>> inside = new ArrayList<>();
            CompletableFuture<Boolean> outer = lanes.submit("a", () -> {
                inside.add(lanes.submit("a", () -> ran.add(2)));
                return inside.add(lanes.submit("b", () -> ran.add(1)));
            });
            assertThat(outer).isCompleted();
            assertThat(inside).allMatch(CompletableFuture::isDone);
            assertThat(ran).containsExactlyInAnyOrder(1, 2);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(lanes.view().live()).isZero();
    }
}
