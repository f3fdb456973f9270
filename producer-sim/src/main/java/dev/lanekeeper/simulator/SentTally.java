package dev.lanekeeper.simulator;

import dev.lanekeeper.simulator.workload.SimulatedRecord;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Counts what is sent while it is sent. Confined to the sending thread. */
final class SentTally {
    private final Map<String, Entry> customers = new HashMap<>();
    private long total;
    private long refused;
    private long undecodable;

    void add(SimulatedRecord sent) {
        total++;
        switch (sent.nature()) {
            case JOB -> {}
            case REFUSED -> refused++;
            case UNDECODABLE -> undecodable++;
        }
        customers.computeIfAbsent(sent.customerId(), id -> new Entry()).add(sent.value());
    }

    long total() {
        return total;
    }

    long refused() {
        return refused;
    }

    long undecodable() {
        return undecodable;
    }

    SortedMap<String, CustomerShare> perCustomer() {
        TreeMap<String, CustomerShare> shares = new TreeMap<>();
        customers.forEach((id, entry) -> shares.put(id, entry.share()));
        return Collections.unmodifiableSortedMap(shares);
    }

    private static final class Entry {
        private final CRC32C checksum = new CRC32C();
        private long records;

        void add(byte[] value) {
            records++;
            checksum.update(value, 0, value.length);
        }

        CustomerShare share() {
            return new CustomerShare(records, String.format("%08x", checksum.getValue()));
        }
    }
}
