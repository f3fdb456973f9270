package dev.lanekeeper.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.Finding;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerdictTest {
    private static final Finding LOSS =
            new Finding(Finding.Kind.LOSS, "c-1", "customer-jobs", 2, 7, null, null, "no outcome came");
    private static final Finding OVERLAP =
            new Finding(Finding.Kind.OVERLAP, "c-2", "customer-jobs", 0, 3, "i-1", 4, "ran beside offset 2");

    @Test
    void cleanAuditSaysWhatItRestsOn() {
        assertThat(verdict(30, Map.of(), List.of()).text())
                .contains("10 of 3 customers", "9 done, 1 failed", "comparisons  30", "CLEAN");
    }

    @Test
    void violationsAreCountedExplainedAndShown() {
        assertThat(verdict(30, Map.of(Finding.Kind.LOSS, 4L), List.of(LOSS)).text())
                .contains("LOSS: 4 sent, but without an outcome", "c-1", "customer-jobs-2@7", "no outcome came")
                .contains("and 3 more", "VIOLATION: 4 found")
                .doesNotContain("CLEAN");
    }

    @Test
    void auditThatSawNothingProvesNothing() {
        assertThat(verdict(0, Map.of(), List.of()).text())
                .contains("NOTHING PROVED")
                .doesNotContain("CLEAN");
    }

    @ParameterizedTest
    @EnumSource
    void everyKindIsExplained(Finding.Kind kind) {
        assertThat(verdict(1, Map.of(kind, 1L), List.of()).text())
                .contains(kind + ": 1 ")
                .doesNotContain("null");
    }

    @Test
    void jsonHoldsTheSame() throws JsonProcessingException {
        Map<Finding.Kind, Long> counts = Map.of(Finding.Kind.LOSS, 1L, Finding.Kind.OVERLAP, 1L);
        String json = verdict(30, counts, List.of(LOSS, OVERLAP)).json();
        JsonNode object = new JsonMapper().readTree(json);

        assertThat(json.lines()).hasSize(1);
        assertThat(object.path("clean").booleanValue()).isFalse();
        assertThat(object.path("comparisons").longValue()).isEqualTo(30);
        assertThat(object.path("violations").longValue()).isEqualTo(2);
        assertThat(object.path("counts").path("loss").longValue()).isEqualTo(1);
        assertThat(object.path("counts").has("reorder")).isTrue();
        assertThat(object.path("findings").path(0).has("instance")).isFalse();
        assertThat(object.path("findings").path(1).path("epoch").intValue()).isEqualTo(4);
    }

    private static Verdict verdict(long comparisons, Map<Finding.Kind, Long> counts, List<Finding> findings) {
        AuditReport report = new AuditReport(10, 9, 1, 0, 0, 3, comparisons, 2, counts, findings);
        return new Verdict("customer-jobs", "job-outcomes", report);
    }
}
