package dev.lanekeeper.benchmarks.commit;

import java.util.zip.Deflater;

/** What is measured: the engine's map of open offsets, and what others keep in its place. */
public enum CommitPeer {
    LANES("map of open offsets") {
        @Override
        public DoneBehind create() {
            return new OpenOffsets();
        }
    },
    /** In the manner of Parallel Consumer, but kept as records end, where that one makes it anew for each commit. */
    BITSET("bitset over the range") {
        @Override
        public DoneBehind create() {
            return new DoneBits(Deflater.NO_COMPRESSION);
        }
    },
    /** The same, compressed. */
    BITSET_DEFLATED("bitset, deflated") {
        @Override
        public DoneBehind create() {
            return new DoneBits(Deflater.BEST_SPEED);
        }
    };

    private final String title;

    CommitPeer(String title) {
        this.title = title;
    }

    /** A new one, in which nothing is done. */
    public abstract DoneBehind create();

    /** One in which so many are done behind the one that is stuck. */
    public final DoneBehind create(int done) {
        DoneBehind behind = create();
        for (int i = 0; i < done; i++) {
            behind.done();
        }
        return behind;
    }

    /** How tables call it. */
    public String title() {
        return title;
    }
}
