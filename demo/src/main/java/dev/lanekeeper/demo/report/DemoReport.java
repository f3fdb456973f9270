package dev.lanekeeper.demo.report;

import dev.lanekeeper.simulator.SentReport;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The report at the end of a demo, for someone who sees Lanekeeper for the first time. Immutable. */
public final class DemoReport {
    /** What the report comes to. */
    public enum Verdict {
        /** Every job is accounted for and the audit found nothing. */
        GOOD,
        /** Some jobs are not accounted for. */
        INCOMPLETE,
        /** The audit found a broken promise. */
        VIOLATION
    }

    private static final int FINDINGS_SHOWN = 5;

    private final SentReport sent;
    private final AuditReport audit;
    private final int partitions;
    private final int instances;
    private final JobLedger ledger;
    private final Accounts accounts;

    /**
     * Closes the books.
     *
     * @param sent what the simulator says it sent
     * @param ledger what the topics hold
     * @param audit what the audit found
     * @param partitions how many partitions the jobs came in
     * @param instances how many processors worked
     */
    public DemoReport(SentReport sent, JobLedger ledger, AuditReport audit, int partitions, int instances) {
        this.sent = sent;
        this.ledger = ledger;
        this.audit = audit;
        this.partitions = partitions;
        this.instances = instances;
        this.accounts = ledger.accounts();
    }

    /** What it comes to. */
    public Verdict verdict() {
        if (audit.violations() > 0) {
            return Verdict.VIOLATION;
        }
        return audit.clean() && problems().isEmpty() ? Verdict.GOOD : Verdict.INCOMPLETE;
    }

    private List<String> problems() {
        List<String> problems = accounts.problems(sent.total());
        if (audit.comparisons() == 0) {
            problems.add("the audit had nothing to compare");
        }
        if (audit.sent() != sent.total()) {
            problems.add(text("%,d jobs were sent, but the audit has seen %,d", sent.total(), audit.sent()));
        }
        return problems;
    }

    /** The report as lines of plain ASCII, at most 79 characters wide but for customer ids. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(text(
                "Lanekeeper demo: %,d jobs of %,d customers, %s, seed %d",
                sent.total(),
                sent.perCustomer().size(),
                instances == 1 ? "one processor" : instances + " processors",
                sent.seed()));
        lines.add("");
        addAccounts(lines);
        lines.add("");
        addSpeed(lines);
        lines.add("");
        addTimeline(lines);
        lines.add("");
        addVerdict(lines);
        return lines.stream().collect(Collectors.joining(System.lineSeparator()));
    }

    private void addAccounts(List<String> lines) {
        lines.add(text(
                "  sent           %,10d  jobs, in %.1f s",
                sent.total(), seconds(sent.duration().toMillis())));
        lines.add(text("  completed      %,10d", accounts.completed()));
        lines.add(text("  dead-lettered  %,10d%s", accounts.deadLetters(), stages()));
        lines.add(text("  unaccounted    %,10d", accounts.unanswered()));
        lines.add(text("  redelivered    %,10d%s", accounts.redelivered(), redelivered()));
    }

    private String redelivered() {
        return accounts.redelivered() == 0 ? "" : "  jobs done again, because an instance came or went";
    }

    private String stages() {
        if (accounts.stages().isEmpty()) {
            return "";
        }
        Map<String, String> meanings =
                Map.of("decode", "no job at all", "handler", "refused by the handler", "timeout", "timed out");
        return accounts.stages().entrySet().stream()
                .map(stage -> text("%,d %s", stage.getValue(), meanings.getOrDefault(stage.getKey(), stage.getKey())))
                .collect(Collectors.joining(", ", "  (", ")"));
    }

    private void addSpeed(List<String> lines) {
        long spanMillis = ledger.spanMillis();
        Histogram latency = ledger.latencyMillis();
        lines.add(text(
                "  throughput     %,10d  jobs/s, in %.1f s from first job to last outcome",
                spanMillis == 0 ? accounts.found() : accounts.found() * 1000 / spanMillis, seconds(spanMillis)));
        lines.add(text(
                "  latency        %,10d  ms median, %,d ms p99, from append to outcome;",
                latency.getValueAtPercentile(50), latency.getValueAtPercentile(99)));
        lines.add("                             sent faster than done, so most of it is queueing");
        lines.add(text(
                "  in parallel    %,10d  customers at once, from %d partitions",
                Parallelism.mostAtOnce(ledger.runs()), partitions));
    }

    private static double seconds(long millis) {
        return millis / 1000.0;
    }

    private void addTimeline(List<String> lines) {
        Timeline timeline = Timeline.of(ledger.runs());
        if (timeline.rows().isEmpty()) {
            lines.add("  No job ran, so there is no timeline.");
            return;
        }
        lines.add(text(
                "  A closer look: %d of the customers for %.0f ms, %.1f ms a column.",
                timeline.rows().size(), timeline.millis(), timeline.columnMillis()));
        lines.add("");
        timeline.rows().forEach(row -> lines.add("  " + row));
        lines.add("");
        lines.add("  Blocks of # and = are a customer's jobs by turns: one after the other in a");
        lines.add(text(
                "  row, beside each other across rows. In these %.0f ms %,d customers had jobs,",
                timeline.millis(), timeline.customersActive()));
        lines.add(text("  up to %,d of them at the same moment.", timeline.mostAtOnce()));
    }

    private void addVerdict(List<String> lines) {
        switch (verdict()) {
            case GOOD -> {
                lines.add(text(
                        "  Audit: clean, after %,d comparisons. No job was lost, none overtook", audit.comparisons()));
                lines.add("  another of its customer, and no two of one customer ran at the same time.");
                lines.add("  Every job is accounted for:");
                lines.add(text(
                        "  %,d completed + %,d dead-lettered = %,d sent.",
                        accounts.completed(), accounts.deadLetters(), sent.total()));
            }
            case INCOMPLETE -> {
                lines.add("  NOT every job is accounted for:");
                problems().forEach(problem -> lines.add("  - " + problem));
            }
            case VIOLATION -> {
                lines.add(text(
                        "  Audit: %,d VIOLATIONS in %,d comparisons: %s",
                        audit.violations(), audit.comparisons(), violations()));
                audit.findings().stream()
                        .limit(FINDINGS_SHOWN)
                        .forEach(finding -> lines.add("  - " + describe(finding)));
                problems().forEach(problem -> lines.add("  - " + problem));
            }
        }
    }

    private String violations() {
        return audit.counts().entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(count -> text("%,d %s", count.getValue(), count.getKey().text()))
                .collect(Collectors.joining(", "));
    }

    private static String describe(Finding finding) {
        return text(
                "%s of customer %s, %s-%d offset %d: %s",
                finding.kind().text(),
                finding.customer(),
                finding.topic(),
                finding.partition(),
                finding.offset(),
                finding.detail());
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
