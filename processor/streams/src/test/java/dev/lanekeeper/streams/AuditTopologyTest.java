package dev.lanekeeper.streams;

import static dev.lanekeeper.streams.Scene.SENT;
import static dev.lanekeeper.streams.Scene.ran;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.streams.AuditSettings.Stores;
import dev.lanekeeper.streams.Finding.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuditTopologyTest {
    @ParameterizedTest
    @EnumSource(Stores.class)
    void findsNothingWhereNothingIsWrong(Stores stores) {
        try (Scene scene = new Scene(AuditSettings.DEFAULT.withStores(stores))) {
            scene.sent("a", "b", "a", null, "b");
            scene.outcome("b", Scene.outcome(SENT, 1, Outcome.Status.FAILED, 3, "i", 4, 0, 2));
            scene.outcome("a", ran(0, "i", 4, 0, 1)).outcome("a", ran(2, "i", 4, 1, 2));
            scene.outcome(null, Scene.outcome(SENT, 3, Outcome.Status.FAILED, 0, "i", 4, 0, 0));
            scene.outcome("b", Scene.outcome(SENT, 4, Outcome.Status.SKIPPED, 0, "i", 4, 2, 2));
            AuditReport report = scene.settled();
            assertThat(report.clean()).isTrue();
            assertThat(report.findings()).isEmpty();
            assertThat(scene.findings()).isEmpty();
            assertThat(report)
                    .returns(5L, AuditReport::sent)
                    .returns(2L, AuditReport::done)
                    .returns(2L, AuditReport::failed)
                    .returns(1L, AuditReport::skipped)
                    .returns(2L, AuditReport::customers)
                    .returns(0L, AuditReport::redelivered);
            // 5 matches; for each customer 1 of order and 1 of owner; 1 of overlap for a, none for what never ran
            assertThat(report.comparisons()).isEqualTo(5 + 2 + 2 + 1);
        }
    }

    @Test
    void isNotCleanWhenNothingWasCompared() {
        try (Scene scene = new Scene()) {
            AuditReport report = scene.settled();
            assertThat(report.violations()).isZero();
            assertThat(report.clean()).isFalse();
        }
    }

    @Test
    void findsALostRecord() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a", null).outcome("a", ran(1, "i", 1, 0, 1));
            assertThat(scene.soFar().violations()).isZero();
            AuditReport report = scene.settled();
            only(report, Kind.LOSS, 2);
            assertThat(report.findings()).extracting(Finding::offset).containsExactlyInAnyOrder(0L, 2L);
            assertThat(scene.settled().count(Kind.LOSS)).isEqualTo(2);
            assertThat(scene.findings())
                    .hasSize(2)
                    .contains(
                            "{\"type\":\"finding\",\"kind\":\"loss\",\"customerId\":\"a\",\"topic\":\"customer-jobs\","
                                    + "\"partition\":0,\"offset\":0,\"detail\":\"sent, but it has no outcome\"}");
        }
    }

    @Test
    void findsOutcomesOutOfOrder() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "b", "a")
                    .outcome("a", ran(2, "i", 1, 0, 1))
                    .outcome("a", ran(0, "i", 1, 1, 2))
                    .outcome("b", ran(1, "i", 1, 0, 1));
            AuditReport report = scene.settled();
            only(report, Kind.REORDER, 1);
            assertThat(report.findings().get(0)).returns("a", Finding::customer).returns(0L, Finding::offset);
            assertThat(scene.findingRecords())
                    .singleElement()
                    .satisfies(record -> assertThat(record.key()).isEqualTo("a".getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void findsOrderBrokenAcrossInstances() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a").outcome("a", ran(1, "i", 1, 0, 1)).outcome("a", ran(0, "k", 2, 1, 2));
            only(scene.settled(), Kind.REORDER, 1);
        }
    }

    @Test
    void findsOrderBrokenByARunThatRepeats() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a").outcome("a", ran(0, "i", 1, 0, 1)).outcome("a", ran(1, "i", 1, 1, 2));
            scene.outcome("a", ran(1, "k", 2, 2, 3)).outcome("a", ran(0, "k", 2, 3, 4));
            AuditReport report = scene.settled();
            only(report, Kind.REORDER, 1);
            assertThat(report.redelivered()).isEqualTo(1);
        }
    }

    @Test
    void findsOverlapWithinOneInstance() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a").outcome("a", ran(0, "i", 1, 0, 1)).outcome("a", ran(1, "i", 1, 0.999, 2));
            only(scene.settled(), Kind.OVERLAP, 1);
        }
    }

    @Test
    void findsEveryShortRunWithinALongOne() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a", "a").outcome("a", ran(0, "i", 1, 0, 100));
            scene.outcome("a", ran(1, "i", 1, 50, 60)).outcome("a", ran(2, "i", 1, 70, 80));
            only(scene.settled(), Kind.OVERLAP, 2);
        }
    }

    @Test
    void findsOverlapAcrossInstancesBeyondTheTolerance() {
        AuditSettings tolerant = AuditSettings.DEFAULT.withClockTolerance(Duration.ofMillis(500));
        for (AuditSettings settings : new AuditSettings[] {AuditSettings.DEFAULT, tolerant}) {
            try (Scene scene = new Scene(settings)) {
                scene.sent("a", "a", "a").outcome("a", ran(0, "i", 1, 0, 10));
                scene.outcome("a", ran(1, "k", 2, 9.5, 11)).outcome("a", ran(2, "m", 3, 10.4, 12));
                only(scene.settled(), Kind.OVERLAP, settings.equals(tolerant) ? 1 : 2);
            }
        }
    }

    @Test
    void findsOverlapOfABulkCommandWithAJob() {
        try (Scene scene = new Scene()) {
            scene.sent("a").outcome("a", ran(0, "i", 1, 0, 1));
            scene.outcome("a", Scene.outcome("bulk-commands", 7, Outcome.Status.DONE, 1, "i", 1, 0.5, 2));
            scene.outcome("b", Scene.outcome("bulk-commands", 7, Outcome.Status.DONE, 1, "i", 1, 0.5, 2));
            AuditReport report = scene.settled();
            only(report, Kind.OVERLAP, 1);
            assertThat(report).returns(2L, AuditReport::elsewhere).returns(1L, AuditReport::done);
        }
    }

    @Test
    void findsAnOwnerThatWritesAfterItWasReplaced() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a", "b").outcome("a", ran(0, "k", 2, 5, 6)).outcome("b", ran(2, "i", 1, 0, 1));
            scene.outcome("a", ran(1, "i", 1, 7, 8));
            AuditReport report = scene.settled();
            only(report, Kind.OVERLAP, 1);
            assertThat(report.findings().get(0).detail()).contains("i in epoch 1", "k in epoch 2");
        }
    }

    @Test
    void doesNotCallAnInstanceItsOwnPredecessor() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a").outcome("a", ran(0, "i", 2, 0, 1)).outcome("a", ran(1, "i", 1, 1, 2));
            assertThat(scene.settled().clean()).isTrue();
        }
    }

    @Test
    void findsADuplicateOfOneInstanceAndEpoch() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a", null).outcome("a", ran(0, "i", 1, 0, 1)).outcome("a", ran(1, "i", 1, 1, 2));
            scene.outcome("a", ran(0, "i", 1, 2, 3)).outcome("a", ran(1, "i", 1, 3, 4));
            scene.outcome(null, ran(2, "i", 1, 0, 1)).outcome(null, ran(2, "i", 1, 0, 1));
            only(scene.settled(), Kind.DUPLICATE, 3);
        }
    }

    @Test
    void countsRedeliveryAndFindsTheSecondWithinIt() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a", null).outcome("a", ran(0, "i", 1, 0, 1)).outcome("a", ran(1, "i", 1, 1, 2));
            scene.outcome("a", ran(0, "i", 2, 2, 3)).outcome("a", ran(1, "k", 3, 3, 4));
            scene.outcome(null, ran(2, "i", 1, 0, 1)).outcome(null, ran(2, "k", 3, 0, 1));
            AuditReport report = scene.settled();
            assertThat(report.clean()).isTrue();
            assertThat(report).returns(3L, AuditReport::redelivered).returns(3L, AuditReport::done);
            scene.outcome("a", ran(1, "k", 3, 4, 5));
            only(scene.settled(), Kind.DUPLICATE, 1);
        }
    }

    @Test
    void findsAnOutcomeOfARecordNobodySent() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "b", "a").outcome("a", ran(0, "i", 1, 0, 1)).outcome("b", ran(1, "i", 1, 0, 1));
            scene.outcome("a", ran(1, "i", 1, 1, 2)).outcome("a", ran(2, "i", 1, 2, 3));
            scene.outcome("a", ran(99, "i", 1, 3, 4)).outcome(null, ran(98, "i", 1, 3, 4));
            AuditReport report = scene.settled();
            only(report, Kind.UNKNOWN, 3);
            assertThat(report.findings()).extracting(Finding::offset).containsExactlyInAnyOrder(1L, 99L, 98L);
        }
    }

    @Test
    void findsWhatIsNoOutcomeAndGoesOn() {
        try (Scene scene = new Scene()) {
            scene.sent("a", "a");
            scene.rawOutcome("a", "{\"type\":\"outcome\"".getBytes(StandardCharsets.UTF_8));
            scene.rawOutcome(null, null).rawOutcome("a", new byte[] {(byte) 0xff, 0});
            scene.outcome("a", ran(0, "i", 1, 0, 1)).outcome("a", ran(1, "i", 1, 1, 2));
            only(scene.settled(), Kind.UNDECODABLE, 3);
        }
    }

    @Test
    void saysLostAfterTheGraceTimeAndTakesItBackWhenTheOutcomeComes() {
        try (Scene scene = new Scene(AuditSettings.DEFAULT.withGrace(Duration.ofSeconds(10)))) {
            scene.sent("a").pass(Duration.ofSeconds(6)).sent("a");
            assertThat(scene.soFar().violations()).isZero();
            AuditReport late = scene.pass(Duration.ofSeconds(5)).soFar();
            only(late, Kind.LOSS, 1);
            assertThat(scene.findings()).hasSize(1);
            assertThat(scene.pass(Duration.ofSeconds(5)).soFar().count(Kind.LOSS))
                    .isEqualTo(2);
            assertThat(scene.findings()).hasSize(1);
            scene.outcome("a", ran(0, "i", 1, 0, 1)).outcome("a", ran(1, "i", 1, 1, 2));
            AuditReport report = scene.pass(Duration.ofSeconds(5)).soFar();
            assertThat(report.clean()).isTrue();
            assertThat(report.findings()).isEmpty();
        }
    }

    private static void only(AuditReport report, Kind kind, long count) {
        for (Map.Entry<Kind, Long> found : report.counts().entrySet()) {
            assertThat(found.getValue())
                    .as("%s in %s", found.getKey(), report)
                    .isEqualTo(found.getKey() == kind ? count : 0);
        }
        assertThat(report.clean()).isFalse();
        assertThat(report.findings()).hasSize((int) count).allMatch(finding -> finding.kind() == kind);
    }
}
