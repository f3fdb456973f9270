package dev.lanekeeper.engine.simulation.cluster;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Hears what happens at a cluster and in its clients, in the order in which it happens. */
public interface ClusterEvents {
    /** Wants to hear nothing. */
    ClusterEvents NONE = new ClusterEvents() {};

    /** A client got a partition, from {@code position} on; its listener is told next. */
    default void assigned(String client, TopicPartition partition, long position, int generation) {}

    /** A client's listener is told next that a partition is taken away in good order. */
    default void revoking(String client, TopicPartition partition) {}

    /** The listener has returned. */
    default void revoked(String client, TopicPartition partition) {}

    /** A client's listener is told next that a partition was taken away. */
    default void lost(String client, TopicPartition partition) {}

    /** The group does not count on a client any more, whether that knows or not. */
    default void expelled(String client) {}

    /** The coordinator took a commit. */
    default void committed(String client, TopicPartition partition, OffsetAndMetadata offset) {}

    /** Readers of committed records see what a client has written in a transaction; its offsets are committed next. */
    default void visible(String client, ProducerRecord<byte[], byte[]> record, long offset) {}

    /** They see all of that transaction, and its offsets are committed. */
    default void settled(String client) {}

    /** A client learns that the broker has a record. */
    default void acknowledged(String client, ProducerRecord<byte[], byte[]> record) {}
}
