package dev.lanekeeper.simulator;

/**
 * What one customer was sent.
 *
 * @param records how many records, poison included
 * @param crc32c the CRC32C of the customer's record values one after another in the order they were sent, as eight
 *     lower-case hexadecimal digits; whoever reads the customer's records by offset and gets the same has all of them,
 *     unchanged and in order
 */
public record CustomerShare(long records, String crc32c) {}
