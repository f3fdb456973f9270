package dev.lanekeeper.engine.simulation.history;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened. Which components count depends on the kind.
 *
 * @param nanos when, since the beginning
 * @param instance where; empty if at the cluster
 * @param message about what
 * @param partition which, if it is about no message
 * @param offset as the kind says
 * @param epoch generation of the group; of a commit and a truncation, leader epoch
 * @param attempt of a run
 * @param detail as the kind says
 * @param ahead with a commit
 */
public record Event(
        long nanos,
        Kind kind,
        String instance,
        @Nullable Message message,
        int partition,
        long offset,
        int epoch,
        int attempt,
        long detail,
        Ahead ahead) {

    /** What kinds of things happen. */
    public enum Kind {
        /** A message is in the log. */
        SUBMIT,
        /** A log lost what was at {@code offset} and beyond; {@code epoch} begins there. */
        TRUNCATE,
        /** An instance got a partition, from {@code offset} on. */
        ASSIGN,
        /** It is told that a partition is taken away, or begins to close: nothing of it may start. */
        REVOKE,
        /** It has agreed. */
        REVOKED,
        /** It was told that a partition was taken away. */
        LOST,
        /** The group does not count on an instance any more, or it failed: what it runs is nobody's fault. */
        EXPEL,
        /** An instance is no more, with all that it ran. */
        DEAD,
        /** A handler begins; {@code detail} tells the call of several records that this is part of, or is 0. */
        START,
        /** A handler succeeded, having emitted {@code detail} outputs. */
        END,
        /** A handler failed. */
        FAIL,
        /** A handler ended after its attempt had been given up for taking too long. */
        LATE,
        /** The broker has acknowledged the outputs of a message. */
        ACK,
        /** The broker has acknowledged the dead letter of a message. */
        DLQ,
        /**
         * Readers of committed records see an output of a message, or its dead letter if {@code attempt} is 1; {@code detail}
         * is its offset. The offsets of the same transaction are committed next.
         */
        OUTPUT,
        /** They see all of a transaction, and its offsets are committed. */
        SETTLED,
        /** The coordinator took a commit of {@code offset}, with what is done {@code ahead}. */
        COMMIT,
        /** Somebody has a partition go on that a record had stopped; that one may be tried anew. */
        UNSTOPPED,
        /** Somebody holds a pause of an instance; one that lets other things run than records if {@code detail} is 1. */
        PAUSED,
        /** They let it go on. */
        RESUMED,
        /** An instance is asked for a bulk. */
        BULK_ASKED,
        /** A bulk begins with one of its keys. */
        BULK_HOLDS,
        /** A bulk ends with one of its keys. */
        BULK_FREES,
        /** Whoever asked for a bulk has its outcome. */
        BULK_ENDED,
        /** An instance was closed and is done with all that it had begun. */
        CLOSED,
        /** All is over for an instance: {@code detail} things are left behind. */
        QUIET,
        /** All is over for a partition: committed is {@code offset}, its end is {@code detail}. */
        FINISH,
        /** All could be over for long, and is not. */
        STALL,
        /** Only worth to be told. */
        NOTE
    }

    /** About a message. */
    public static Event of(
            long nanos, Kind kind, String instance, Message message, int epoch, int attempt, long detail) {
        return new Event(
                nanos,
                kind,
                instance,
                message,
                message.partition(),
                message.offset(),
                epoch,
                attempt,
                detail,
                Ahead.NOTHING);
    }

    /** About a partition, or about all of them if that is negative. */
    public static Event of(long nanos, Kind kind, String instance, int partition, long offset, int epoch, long detail) {
        return new Event(nanos, kind, instance, null, partition, offset, epoch, 0, detail, Ahead.NOTHING);
    }

    /** A commit. */
    public static Event commit(long nanos, String instance, int partition, long offset, int leaderEpoch, Ahead ahead) {
        return new Event(nanos, Kind.COMMIT, instance, null, partition, offset, leaderEpoch, 0, 0, ahead);
    }

    Message requireMessage() {
        if (message == null) {
            throw new IllegalArgumentException("a " + kind + " without a message");
        }
        return message;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format("%9.3f ms  %-3s %-10s", nanos / 1e6, instance, kind));
        if (message != null) {
            text.append(' ').append(message);
        } else if (partition >= 0) {
            text.append(" partition ").append(partition).append(" offset ").append(offset);
        }
        switch (kind) {
            case START, END, FAIL, LATE ->
                text.append(" epoch ").append(epoch).append(" attempt ").append(attempt);
            case ASSIGN, TRUNCATE -> text.append(" epoch ").append(epoch);
            case COMMIT ->
                text.append(" epoch ").append(epoch).append(" ahead ").append(ahead.offsets());
            case QUIET, FINISH, NOTE, PAUSED, RESUMED ->
                text.append(" (").append(detail).append(')');
            default -> {}
        }
        return text.toString();
    }
}
