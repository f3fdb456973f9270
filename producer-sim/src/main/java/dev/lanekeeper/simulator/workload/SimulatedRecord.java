package dev.lanekeeper.simulator.workload;

import java.nio.charset.StandardCharsets;

/** One record of a workload, ready to send. Immutable as long as nobody writes into {@link #value()}. */
public final class SimulatedRecord {
    /** What should become of a record. */
    public enum Nature {
        /** A job that can be done. */
        JOB,
        /** A well-formed job of the kind {@value Workload#POISON_KIND}, which handlers refuse. */
        REFUSED,
        /** Bytes that are not a job at all. */
        UNDECODABLE
    }

    private final String customerId;
    private final byte[] value;
    private final Nature nature;

    SimulatedRecord(String customerId, byte[] value, Nature nature) {
        this.customerId = customerId;
        this.value = value;
        this.nature = nature;
    }

    /** The customer the record belongs to. */
    public String customerId() {
        return customerId;
    }

    /** The record's key: the customer id in UTF-8. */
    public byte[] key() {
        return customerId.getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes to send; not a copy. */
    public byte[] value() {
        return value;
    }

    /** What should become of it. */
    public Nature nature() {
        return nature;
    }
}
