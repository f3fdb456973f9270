package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineState.CLOSED;
import static dev.lanekeeper.engine.EngineState.CLOSING;
import static dev.lanekeeper.engine.EngineState.FAILED;
import static dev.lanekeeper.engine.EngineState.NEW;
import static dev.lanekeeper.engine.EngineState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineStateTest {
    private static final Map<EngineState, Set<EngineState>> LEGAL = Map.of(
            NEW, Set.of(RUNNING, CLOSING, FAILED),
            RUNNING, Set.of(CLOSING, FAILED),
            CLOSING, Set.of(CLOSED, FAILED),
            CLOSED, Set.of(),
            FAILED, Set.of());

    @ParameterizedTest
    @EnumSource
    void knowsItsSuccessors(EngineState state) {
        for (EngineState next : EngineState.values()) {
            assertThat(state.mayBecome(next))
                    .as("%s to %s", state, next)
                    .isEqualTo(LEGAL.getOrDefault(state, Set.of()).contains(next));
        }
    }

    @Test
    void nothingComesAfterTheEnd() {
        for (EngineState next : EngineState.values()) {
            assertThat(CLOSED.mayBecome(next) || FAILED.mayBecome(next)).isFalse();
        }
    }
}
