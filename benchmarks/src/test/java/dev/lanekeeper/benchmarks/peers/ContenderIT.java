package dev.lanekeeper.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.benchmarks.peers.contenders.Contender;
import dev.lanekeeper.benchmarks.peers.contenders.Peer;
import dev.lanekeeper.benchmarks.peers.contenders.Race;
import dev.lanekeeper.testkit.broker.EmbeddedKafka;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contender handles all records in order and commits them: else its figures would be of something else. */
@SuppressWarnings("NullAway.Init") // set before all
class ContenderIT {
    private static final Workload WORKLOAD = Workload.of("W1-100").scaled(0.002);

    private static EmbeddedKafka kafka;
    private static Topics topics;

    @BeforeAll
    static void load() throws Exception {
        kafka = EmbeddedKafka.start();
        topics = new Topics(kafka.bootstrapServers());
        topics.create("jobs", WORKLOAD.partitions());
        topics.fill("jobs", WORKLOAD);
    }

    @AfterAll
    static void stop() {
        topics.close();
        kafka.close();
    }

    static Stream<Contender> contenders() {
        return Arrays.stream(Contender.values())
                .filter(contender -> contender.possible() && !contender.needsOlderClients());
    }

    @ParameterizedTest
    @MethodSource("contenders")
    void handles_each_record_once_in_order_of_its_key_and_commits_it(Contender contender) throws Exception {
        Probe probe = new Probe(WORKLOAD, 1);
        Peer peer = contender.make();
        peer.start(
                new Race(kafka.bootstrapServers(), "jobs", contender.name(), WORKLOAD.partitions(), 8, false, probe));
        assertThat(probe.awaitAll(60))
                .as("all handled, %s so far", probe.done())
                .isTrue();
        peer.close();
        assertThat(probe.done()).isEqualTo(WORKLOAD.records());
        assertThat(probe.ledger().overlaps() + probe.ledger().disorders()).isZero();
        assertThat(probe.ledger().comparisons()).isEqualTo(WORKLOAD.records() - WORKLOAD.keys());
        assertThat(topics.committed(contender.name())).isEqualTo(WORKLOAD.records());
    }
}
