/**
 * The audit: proof, from what the topics hold, that every record sent has one outcome, in order, and that no two of a
 * customer ran at once.
 *
 * <p>Start at {@link dev.lanekeeper.streams.Audit} for one run from the beginning to the end, at {@link
 * dev.lanekeeper.streams.AuditTopology} for an audit that stays on. The topology's code runs on Kafka Streams' threads, one
 * task per partition; only {@code Ledger} is shared between them and the caller. This package must not know the engine:
 * it believes the topics alone.
 */
@NullMarked
package dev.lanekeeper.streams;

import org.jspecify.annotations.NullMarked;
