package dev.lanekeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.streams.AuditSettings.Stores;
import dev.lanekeeper.streams.Finding.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class AuditPartsTest {
    private static final TopicPartition JOBS = new TopicPartition("jobs", 0);
    private static final TopicPartition OUTCOMES = new TopicPartition("outcomes", 0);

    @Test
    void readingEndsOnlyWhenEveryPartitionIsReadAndNothingNewCame() {
        Reading reading = new Reading(Map.of(JOBS, 10L, OUTCOMES, 0L), 0);
        reading.update(Map.of(JOBS, 12L), Map.of(JOBS, 12L, OUTCOMES, 5L), 100);
        assertThat(reading.atEnd()).isFalse();
        assertThat(reading.behind()).containsExactly(Map.entry("outcomes-0", 5L));
        assertThat(reading.read()).isEqualTo(2);
        assertThat(reading.total()).isEqualTo(7);
        reading.update(Map.of(OUTCOMES, 5L, JOBS, 11L), Map.of(JOBS, 12L, OUTCOMES, 5L), 200);
        assertThat(reading.atEnd()).isTrue();
        assertThat(reading.idle(250)).isEqualTo(Duration.ofNanos(50));
        reading.update(Map.of(), Map.of(JOBS, 12L, OUTCOMES, 5L), 300);
        assertThat(reading.idle(350)).isEqualTo(Duration.ofNanos(150));
        reading.update(Map.of(), Map.of(JOBS, 13L, OUTCOMES, 5L), 400);
        assertThat(reading.atEnd()).isFalse();
        assertThat(reading.idle(400)).isZero();
    }

    @Test
    void aTaskThatBeginsTwiceIsToldUnlessItsStateSurvives() {
        Ledger inMemory = new Ledger(AuditSettings.DEFAULT);
        inMemory.opened(3);
        inMemory.opened(4);
        assertThat(inMemory.moved()).isNull();
        inMemory.opened(3);
        assertThat(inMemory.moved()).isEqualTo(3);
        Ledger persistent = new Ledger(AuditSettings.DEFAULT.withStores(Stores.PERSISTENT));
        persistent.opened(3);
        persistent.opened(3);
        assertThat(persistent.moved()).isNull();
    }

    @Test
    void settlingWaitsForEachTaskAndAgainForOneThatMoved() {
        Ledger ledger = new Ledger(AuditSettings.DEFAULT.withStores(Stores.PERSISTENT));
        ledger.opened(0);
        assertThat(ledger.mustSettle(0)).isFalse();
        ledger.settle();
        assertThat(ledger.mustSettle(0)).isTrue();
        ledger.settled(0);
        assertThat(ledger.mustSettle(0)).isFalse();
        assertThat(ledger.settledTasks()).isEqualTo(1);
        ledger.opened(0);
        assertThat(ledger.settledTasks()).isZero();
    }

    @Test
    void quotesNoMoreFindingsThanAsked() {
        Ledger ledger = new Ledger(AuditSettings.DEFAULT);
        for (int offset = 0; offset < 30; offset++) {
            ledger.add(new Finding(Kind.LOSS, "c", "jobs", 0, offset, null, null, "lost"));
        }
        assertThat(ledger.report().findings()).hasSize(20);
    }

    @Test
    void stateComesBackAsItWent() {
        Cursor cursor = new Cursor();
        for (int epoch = 0; epoch < 12; epoch++) {
            cursor.advance(new Run("instance-" + "x".repeat(100), epoch), 10L * epoch);
        }
        Cursor back = Cursor.of(cursor.bytes());
        assertThat(back.bytes()).isEqualTo(cursor.bytes());
        assertThat(back.top()).isEqualTo(110);
        assertThat(back.top(new Run("instance-" + "x".repeat(100), 11))).isEqualTo(110);
        assertThat(back.top(new Run("instance-" + "x".repeat(100), 3))).isEqualTo(-1);
        Tally tally = new Tally();
        tally.count(Tally.Item.SENT);
        tally.set(Kind.LOSS, 7);
        AuditReport report = Tally.of(tally.bytes()).report(List.of());
        assertThat(report.sent()).isEqualTo(1);
        assertThat(report.count(Kind.LOSS)).isEqualTo(7);
        assertThat(report.count(Kind.REORDER)).isZero();
    }

    @Test
    void settingsNameWhatIsWrong() {
        AuditSettings good = AuditSettings.DEFAULT;
        assertThatThrownBy(() -> good.withTopics("a", "a", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("outcomesTopic must differ from sentTopic: a");
        assertThatThrownBy(() -> good.withTopics("a", "b", "a")).hasMessageContaining("findingsTopic must differ");
        assertThatThrownBy(() -> good.withTopics(" ", "b", null)).hasMessage("sentTopic must name a topic: \" \"");
        assertThatThrownBy(() -> good.withClockTolerance(Duration.ofMillis(-1)))
                .hasMessage("clockTolerance must not be negative: PT-0.001S");
        assertThatThrownBy(() -> good.withGrace(Duration.ZERO)).hasMessage("grace must be above zero: PT0S");
        assertThatThrownBy(() -> new Audit(good, Map.of())).hasMessageContaining("bootstrap.servers is missing");
        assertThatThrownBy(() -> new Audit(good, Map.of("bootstrap.servers", "x:1", "application.id", "mine")))
                .hasMessageContaining("application.id needs persistent stores");
    }
}
