/**
 * What a demo shows at its end, worked out from the records of its topics alone. Start at {@link
 * dev.lanekeeper.demo.report.JobLedger}, which one thread fills; the rest are pure functions of it, in plain ASCII. Must
 * not know how the jobs were processed, nor Kafka.
 */
@NullMarked
package dev.lanekeeper.demo.report;

import org.jspecify.annotations.NullMarked;
