package dev.lanekeeper.app.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.Finding;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What an audit found, for a person who has never seen one, and for programs. Immutable.
 *
 * @param topic the topic of jobs
 * @param outcomes the topic of outcomes
 * @param report what was found
 */
record Verdict(String topic, String outcomes, AuditReport report) {
    private static final Map<Finding.Kind, String> MEANINGS = Map.of(
            Finding.Kind.LOSS, "sent, but without an outcome: lost, or not done yet",
            Finding.Kind.DUPLICATE, "ended twice under one owner",
            Finding.Kind.REORDER, "ended after a later job of the same customer",
            Finding.Kind.OVERLAP, "ran while another job of the same customer was running",
            Finding.Kind.UNKNOWN, "have an outcome, but were never sent",
            Finding.Kind.UNDECODABLE, "records among the outcomes that are none");

    /** Several lines, without a line end. */
    String text() {
        StringJoiner lines = new StringJoiner(System.lineSeparator());
        lines.add("Audit of " + topic + " against " + outcomes);
        lines.add("  jobs         " + report.sent() + " of " + report.customers() + " customers");
        lines.add("  ended        " + report.done() + " done, " + report.failed() + " failed (dead letters), "
                + report.skipped() + " skipped");
        if (report.redelivered() > 0) {
            lines.add("  redelivered  " + report.redelivered() + " (allowed: at least once)");
        }
        lines.add("  comparisons  " + report.comparisons());
        report.counts().forEach((kind, count) -> {
            if (count > 0) {
                lines.add("  " + kind + ": " + count + " " + MEANINGS.get(kind));
            }
        });
        report.findings().forEach(finding -> lines.add("    " + line(finding)));
        if (report.findings().size() < report.violations()) {
            lines.add("    and " + (report.violations() - report.findings().size()) + " more");
        }
        return lines.add(sentence()).toString();
    }

    /** One line. */
    String json() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("topic", topic)
                .put("outcomes", outcomes)
                .put("clean", report.clean())
                .put("verdict", sentence())
                .put("sent", report.sent())
                .put("customers", report.customers())
                .put("done", report.done())
                .put("failed", report.failed())
                .put("skipped", report.skipped())
                .put("elsewhere", report.elsewhere())
                .put("redelivered", report.redelivered())
                .put("comparisons", report.comparisons())
                .put("violations", report.violations());
        ObjectNode counts = object.putObject("counts");
        report.counts().forEach((kind, count) -> counts.put(kind.text(), count));
        ArrayNode findings = object.putArray("findings");
        for (Finding finding : report.findings()) {
            ObjectNode each = findings.addObject()
                    .put("kind", finding.kind().text())
                    .put("customerId", finding.customer())
                    .put("topic", finding.topic())
                    .put("partition", finding.partition())
                    .put("offset", finding.offset());
            if (finding.instance() != null) {
                each.put("instance", finding.instance());
            }
            if (finding.epoch() != null) {
                each.put("epoch", finding.epoch());
            }
            each.put("detail", finding.detail());
        }
        return object.toString();
    }

    private String sentence() {
        if (report.violations() > 0) {
            return "VIOLATION: " + report.violations() + " found in " + report.comparisons() + " comparisons";
        }
        if (!report.clean()) {
            return "NOTHING PROVED: there was nothing to compare";
        }
        return "CLEAN: no job lost, doubled or out of order, no two of one customer at once, in " + report.comparisons()
                + " comparisons";
    }

    private static String line(Finding finding) {
        return finding.kind() + " customer " + finding.customer() + ", " + finding.topic() + "-" + finding.partition()
                + "@" + finding.offset() + ": " + finding.detail();
    }
}
