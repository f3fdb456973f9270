package dev.lanekeeper.engine.offset;

/**
 * The numbers of done offsets between open ones, in Rice's code: the lowest bits of a number as they are, what is above
 * them in ones ended by a zero. Short where open offsets lie scattered. The number of bits kept as they are is the
 * parameter; which one is best depends on how far apart they lie.
 *
 * <p>A number whose unary part would be long is written out behind a mark of that many ones. So no open offset takes more
 * than {@link #LONGEST} bits, wherever it lies.
 */
final class RiceCoding implements Coding {
    static final int PARAMETERS = 16;

    /** As many ones say that the whole number follows. */
    static final int MARK = 160;

    private static final int WHOLE_BITS = 40;
    static final int LONGEST = MARK + WHOLE_BITS;
    private static final int FIRST_ID = 16;

    private final int parameter;

    RiceCoding(int parameter) {
        this.parameter = parameter;
    }

    @Override
    public int id() {
        return FIRST_ID + parameter;
    }

    @Override
    public long bits(AheadMap map) {
        long bits = 0;
        for (int i = 0; i < map.openCount(); i++) {
            long gap = map.gapBefore(i);
            long high = gap >> parameter;
            if (high < MARK) {
                bits += high + 1 + parameter;
            } else if (gap >> WHOLE_BITS == 0) {
                bits += LONGEST;
            } else {
                return Long.MAX_VALUE;
            }
        }
        return bits;
    }

    @Override
    public void write(AheadMap map, BitWriter to) {
        for (int i = 0; i < map.openCount(); i++) {
            long gap = map.gapBefore(i);
            long high = gap >> parameter;
            if (high < MARK) {
                to.ones(high);
                to.bit(0);
                to.bits(gap, parameter);
            } else {
                to.ones(MARK);
                to.bits(gap, WHOLE_BITS);
            }
        }
    }

    @Override
    public void read(BitReader from, long base, long[] open) throws UnreadableMapException {
        long offset = base;
        for (int i = 0; i < open.length; i++) {
            long high = 0;
            while (high < MARK && from.bit() == 1) {
                high++;
            }
            offset += high < MARK ? (high << parameter) | from.bits(parameter) : from.bits(WHOLE_BITS);
            open[i] = offset++;
        }
    }
}
