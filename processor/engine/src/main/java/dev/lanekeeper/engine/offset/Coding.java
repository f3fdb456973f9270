package dev.lanekeeper.engine.offset;

/**
 * One way to write down the open offsets of a map. Stateless. A reader gets what anybody may have written: it must end,
 * allocate no more than {@code open} and throw rather than guess; that the offsets ascend and lie in the map, its caller
 * checks.
 */
sealed interface Coding permits BitsetCoding, RunsCoding, RiceCoding {
    /** Its number in the header of a map, one byte. */
    int id();

    /** How many bits {@link #write} takes; {@link Long#MAX_VALUE} if it can't write that map. */
    long bits(AheadMap map);

    void write(AheadMap map, BitWriter to);

    /**
     * Fills {@code open} with ascending offsets from {@code base} on.
     *
     * @throws UnreadableMapException if there is no sense in it
     */
    void read(BitReader from, long base, long[] open) throws UnreadableMapException;
}
