package dev.lanekeeper.engine.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a sink may rely on (edge cases 25, 43, 45, 46, 51). */
class FencingTokenTest {
    private static final FencingToken SEVENTH = token(0, 7);

    private static FencingToken token(int incarnation, long offset) {
        return new FencingToken(incarnation, "jobs", 3, offset);
    }

    @Test
    void theFirstIsTaken() {
        assertThat(SEVENTH.supersedes(null)).isTrue();
    }

    @Test
    void aLaterOffsetIsTakenAndTheSameOrAnEarlierOneIsNot() {
        assertThat(token(0, 8).supersedes(SEVENTH)).isTrue();
        assertThat(token(0, 7).supersedes(SEVENTH)).isFalse();
        assertThat(token(0, 6).supersedes(SEVENTH)).isFalse();
    }

    /** Offsets begin anew, so only the incarnation can tell. */
    @Test
    void aNewIncarnationIsTakenWhateverTheOffsetAndNoOldOneAfterIt() {
        FencingToken replayed = token(1, 0);
        assertThat(replayed.supersedes(SEVENTH)).isTrue();
        assertThat(token(0, 100).supersedes(replayed)).isFalse();
        assertThat(new FencingToken(1, "jobs", 5, 0).supersedes(SEVENTH)).isTrue();
    }

    @Test
    void tokensOfTwoPartitionsHaveNoOrder() {
        assertThatThrownBy(() -> new FencingToken(0, "jobs", 4, 8).supersedes(SEVENTH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0:jobs-4@8")
                .hasMessageContaining("0:jobs-3@7")
                .hasMessageContaining("raise the incarnation");
        assertThatThrownBy(() -> new FencingToken(0, "other", 3, 8).supersedes(SEVENTH))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sortedByIncarnationThenOffset() {
        List<FencingToken> sorted = List.of(token(0, 1), token(0, 20), token(1, 0), token(1, 3));
        assertThat(sorted.stream().sorted().toList()).isEqualTo(sorted);
        assertThat(sorted.get(3).compareTo(token(1, 3))).isZero();
    }

    /** The pattern of the Javadoc: deliveries that come twice, late and from before, then a replay. */
    @Test
    void aSinkThatAsksHasEachEffectOnceInOrder() {
        Map<String, FencingToken> last = new HashMap<>();
        StringBuilder effects = new StringBuilder();
        for (FencingToken token : List.of(
                token(0, 1),
                token(0, 1),
                token(0, 3),
                token(0, 2),
                token(0, 4),
                token(1, 1),
                token(0, 9),
                token(1, 1))) {
            if (token.supersedes(last.get("a"))) {
                last.put("a", token);
                effects.append(token.incarnation()).append(token.offset()).append(' ');
            }
        }
        assertThat(effects).hasToString("01 03 04 11 ");
    }
}
