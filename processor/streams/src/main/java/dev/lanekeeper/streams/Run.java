package dev.lanekeeper.streams;

import java.util.zip.CRC32C;

/** Who wrote an outcome: one instance within one assignment epoch. */
record Run(String instance, int epoch) {
    /** The same on every JVM, as it is stored. */
    int fingerprint() {
        CRC32C crc = new CRC32C();
        crc.update(new StateWriter().put(this).bytes());
        return (int) crc.getValue();
    }

    @Override
    public String toString() {
        return instance + " in epoch " + epoch;
    }
}
