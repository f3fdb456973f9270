package dev.lanekeeper.benchmarks.peers.contenders;

import dev.lanekeeper.lanes.LaneThreads;

/** Who is compared. */
public enum Contender {
    /** The limit: what the client alone can do. */
    BARE("bare consumer, one thread", Order.PARTITION),
    /** The naive way. */
    THREAD_PER_PARTITION("thread per partition", Order.PARTITION),
    /** Kafka's own. */
    STREAMS("Streams process()", Order.PARTITION),
    /** By hand. */
    BARRIER("barrier", Order.KEY),
    /** By hand, virtual threads. */
    BARRIER_VT("barrier:vt", Order.KEY),
    /** By hand, and the best of them. */
    KEY_CHAIN("chain of futures per key", Order.KEY),
    /** The same, virtual threads. */
    KEY_CHAIN_VT("chain of futures per key:vt", Order.KEY),
    /** Needs older clients than ours. */
    PARALLEL_CONSUMER("Parallel Consumer", Order.KEY),
    /** Ours, on platform threads. */
    LANEKEEPER("Lanekeeper", Order.KEY),
    /** Ours, on virtual threads. */
    LANEKEEPER_VT("Lanekeeper:vt", Order.KEY);

    /** What runs one at a time: all else may run in parallel. */
    public enum Order {
        /** The records of a partition, so that keys wait for each other. */
        PARTITION,
        /** The records of a key. */
        KEY
    }

    private final String title;
    private final Order order;

    Contender(String title, Order order) {
        this.title = title;
        this.order = order;
    }

    /** Makes it; once for each run. */
    public Peer make() {
        return switch (this) {
            case BARE -> new BareConsumer();
            case THREAD_PER_PARTITION -> new ThreadPerPartition();
            case STREAMS -> new StreamsProcess();
            case BARRIER, BARRIER_VT -> new Barrier(virtual());
            case KEY_CHAIN, KEY_CHAIN_VT -> new KeyChain(virtual());
            case PARALLEL_CONSUMER -> new ParallelConsumer();
            case LANEKEEPER, LANEKEEPER_VT -> new Keeper(virtual());
        };
    }

    /** As tables name it. */
    public String title() {
        return title;
    }

    /** What it keeps in order. */
    public Order order() {
        return order;
    }

    /** Whether it can run on this JVM. */
    public boolean possible() {
        return !virtual() || LaneThreads.virtual();
    }

    /** Whether handlers run on virtual threads, which makes no difference to an asynchronous one. */
    public boolean virtual() {
        return title.endsWith(":vt");
    }

    /** Whether it is the one that all this is about. */
    public boolean ours() {
        return this == LANEKEEPER || this == LANEKEEPER_VT;
    }

    /** Whether it dies with our version of Kafka's clients, so that its JVM needs an older one. */
    public boolean needsOlderClients() {
        return this == PARALLEL_CONSUMER;
    }
}
