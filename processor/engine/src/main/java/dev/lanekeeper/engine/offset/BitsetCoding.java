package dev.lanekeeper.engine.offset;

/**
 * One bit for each offset up to the last open one. Never the longest: whatever ends first, it needs no more bits than
 * there are offsets.
 */
final class BitsetCoding implements Coding {
    @Override
    public int id() {
        return 1;
    }

    @Override
    public long bits(AheadMap map) {
        return map.openCount() == 0 ? 0 : map.open(map.openCount() - 1) - map.base() + 1;
    }

    @Override
    public void write(AheadMap map, BitWriter to) {
        for (int i = 0; i < map.openCount(); i++) {
            to.zeros(map.gapBefore(i));
            to.bit(1);
        }
    }

    @Override
    public void read(BitReader from, long base, long[] open) throws UnreadableMapException {
        long offset = base;
        for (int i = 0; i < open.length; offset++) {
            if (from.bit() == 1) {
                open[i++] = offset;
            }
        }
    }
}
