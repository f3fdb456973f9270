package dev.lanekeeper.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.simulator.CustomerShare;
import dev.lanekeeper.simulator.SentReport;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DemoReportTest {
    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");
    private final JobLedger ledger = new JobLedger();

    @Test
    void whenAllIsWellItSaysSo() {
        send(4);
        done(0, 1, 2);
        failed(3, "handler");
        DemoReport report = report(4, clean(4));
        assertThat(report.verdict()).isEqualTo(DemoReport.Verdict.GOOD);
        assertThat(report.text())
                .contains("4 jobs of 1 customers, one processor, seed 42")
                .containsPattern("completed +3\n")
                .containsPattern("dead-lettered +1  \\(1 refused by the handler\\)\n")
                .contains("Every job is accounted for:\n  3 completed + 1 dead-lettered = 4 sent.")
                .contains("c-000001  ");
        assertThat(report.text().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(report.text())
                .as("no control characters, no more than ASCII")
                .matches("[\\n\\x20-\\x7e]*");
    }

    @Test
    void aJobWithoutAnOutcomeIsMissed() {
        send(3);
        done(0, 2);
        assertIncomplete(3, "1 jobs have no outcome");
    }

    @Test
    void aJobThatNeverCameToTheTopicIsMissed() {
        send(2);
        done(0, 1);
        assertIncomplete(3, "3 jobs were sent, but 2 are in the topic");
    }

    @Test
    void aFailedJobWithoutADeadLetterIsMissed() {
        send(2);
        done(0);
        ledger.outcome(outcome(1, Outcome.Status.FAILED), 30);
        assertIncomplete(2, "1 failed jobs have no dead letter");
    }

    @Test
    void aDeadLetterOfAJobThatWasDoneIsToldOf() {
        send(2);
        done(0, 1);
        ledger.deadLetter(0, 1, "handler");
        assertIncomplete(2, "1 dead letters are of jobs that did not fail");
    }

    @Test
    void anOutcomeFromNowhereIsToldOf() {
        send(1);
        done(0, 1);
        assertIncomplete(1, "1 outcomes are for jobs that were never sent");
    }

    @Test
    void aSkippedJobIsNotCompleted() {
        send(2);
        done(0);
        ledger.outcome(outcome(1, Outcome.Status.SKIPPED), 30);
        assertIncomplete(2, "1 completed and 0 dead-lettered make 1, but 2 were sent");
    }

    @Test
    void anAuditThatSawNothingProvesNothing() {
        send(1);
        done(0);
        DemoReport report = report(1, new AuditReport(1, 1, 0, 0, 0, 1, 0, 0, Map.of(), List.of()));
        assertThat(report.verdict()).isEqualTo(DemoReport.Verdict.INCOMPLETE);
        assertThat(report.text()).contains("the audit had nothing to compare");
    }

    @Test
    void aViolationIsSaidLoudly() {
        send(1);
        done(0);
        Finding finding = new Finding(
                Finding.Kind.OVERLAP, "c-000001", "customer-jobs", 0, 0, "demo-1", 1, "ran beside offset 7");
        DemoReport report =
                report(1, new AuditReport(1, 1, 0, 0, 0, 1, 5, 0, Map.of(Finding.Kind.OVERLAP, 1L), List.of(finding)));
        assertThat(report.verdict()).isEqualTo(DemoReport.Verdict.VIOLATION);
        assertThat(report.text())
                .contains("1 VIOLATIONS in 5 comparisons: 1 overlap")
                .contains("overlap of customer c-000001, customer-jobs-0 offset 0: ran beside offset 7");
    }

    @Test
    void aRepeatedOutcomeIsRedeliveryNotAnotherJob() {
        send(2);
        done(0, 1, 1);
        DemoReport report = report(2, clean(2));
        assertThat(report.verdict()).isEqualTo(DemoReport.Verdict.GOOD);
        assertThat(report.text()).containsPattern("redelivered +1  jobs done again");
    }

    @Test
    void latencyIsFromAppendToTheFirstOutcome() {
        ledger.outcome(outcome(0, Outcome.Status.DONE), 1_250);
        ledger.sent(0, 0, 1_000);
        ledger.outcome(outcome(0, Outcome.Status.DONE), 9_000);
        assertThat(ledger.latencyMillis().getMaxValue()).isEqualTo(250);
        assertThat(ledger.spanMillis()).isEqualTo(250);
    }

    private void assertIncomplete(long sent, String problem) {
        DemoReport report = report(sent, clean(sent));
        assertThat(report.verdict()).isEqualTo(DemoReport.Verdict.INCOMPLETE);
        assertThat(report.text()).contains("NOT every job").contains("- " + problem);
    }

    private void send(int jobs) {
        for (int offset = 0; offset < jobs; offset++) {
            ledger.sent(0, offset, 10 + offset);
        }
    }

    private void done(int... offsets) {
        for (int offset : offsets) {
            ledger.outcome(outcome(offset, Outcome.Status.DONE), 20 + offset);
        }
    }

    private void failed(int offset, String stage) {
        ledger.outcome(outcome(offset, Outcome.Status.FAILED), 20 + offset);
        ledger.deadLetter(0, offset, stage);
    }

    private static Outcome outcome(int offset, Outcome.Status status) {
        Instant start = BEGIN.plusMillis(10L * offset);
        return new Outcome(
                "j-" + offset,
                "c-000001",
                null,
                status,
                1,
                "demo-1",
                1,
                "customer-jobs",
                0,
                offset,
                start,
                start.plusMillis(4),
                false,
                null,
                Map.of());
    }

    private static AuditReport clean(long sent) {
        return new AuditReport(sent, sent, 0, 0, 0, 1, 3 * sent, 0, Map.of(), List.of());
    }

    private DemoReport report(long sent, AuditReport audit) {
        TreeMap<String, CustomerShare> shares = new TreeMap<>();
        shares.put("c-000001", new CustomerShare(sent, "00000000"));
        return new DemoReport(
                new SentReport("customer-jobs", 42, sent, 0, 0, BEGIN, Duration.ofMillis(10), false, shares),
                ledger,
                audit,
                1,
                1);
    }
}
