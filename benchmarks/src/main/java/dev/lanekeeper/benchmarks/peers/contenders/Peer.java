package dev.lanekeeper.benchmarks.peers.contenders;

/** One way to consume a topic. Started once, closed once, by one thread. */
public interface Peer {
    /** Begins to consume and returns. */
    void start(Race race);

    /** Lets what runs end, commits what is done, leaves the group. */
    void close() throws Exception;
}
