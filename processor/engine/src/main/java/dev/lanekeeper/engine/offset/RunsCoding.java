package dev.lanekeeper.engine.offset;

/** Lengths of runs in turn, of done offsets and of open ones: short where both kinds lie in long stretches. */
final class RunsCoding implements Coding {
    @Override
    public int id() {
        return 2;
    }

    @Override
    public long bits(AheadMap map) {
        long bytes = 0;
        for (int i = 0; i < map.openCount(); ) {
            int next = runEnd(map, i);
            bytes += BitWriter.varintBytes(map.gapBefore(i)) + BitWriter.varintBytes(next - i);
            i = next;
        }
        return bytes * 8;
    }

    @Override
    public void write(AheadMap map, BitWriter to) {
        for (int i = 0; i < map.openCount(); ) {
            int next = runEnd(map, i);
            to.varint(map.gapBefore(i));
            to.varint(next - i);
            i = next;
        }
    }

    private static int runEnd(AheadMap map, int from) {
        int i = from + 1;
        while (i < map.openCount() && map.gapBefore(i) == 0) {
            i++;
        }
        return i;
    }

    @Override
    public void read(BitReader from, long base, long[] open) throws UnreadableMapException {
        long offset = base;
        for (int i = 0; i < open.length; ) {
            offset += from.varint();
            long run = from.varint();
            if (run < 1 || run > open.length - i || offset < base) {
                throw new UnreadableMapException("a run in it has no sense");
            }
            for (long end = offset + run; offset < end; offset++) {
                open[i++] = offset;
            }
        }
    }
}
