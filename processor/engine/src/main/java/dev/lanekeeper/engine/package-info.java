/**
 * The face of the engine: one instance that consumes topics and runs a handler for each record, one customer's records
 * one at a time and in order.
 *
 * <p>Start at {@link dev.lanekeeper.engine.LaneKeeper}; a record's whole way, from its lane to its completion, is in
 * {@code RecordTicket}. Of the rooms below ({@code intake}, {@code offset}, {@code handler}, {@code parking}, {@code
 * result}) only {@code intake} knows others; this package joins them. Beside them, {@code testing} is for tests of handlers,
 * and the engine does not know it. It must not know JSON, HTTP, metrics or a command line.
 */
@NullMarked
package dev.lanekeeper.engine;

import org.jspecify.annotations.NullMarked;
