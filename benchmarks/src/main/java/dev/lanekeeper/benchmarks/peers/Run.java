package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.peers.contenders.Contender;
import java.util.List;

/**
 * One run of one contender over one workload, as its JVM is told.
 *
 * @param contender who
 * @param workload over what
 * @param bootstrap where the broker is
 * @param brokerPid its process
 * @param topic to measure with; the one to warm up with is called the same and {@code -warm}
 * @param group whose offsets to commit
 * @param spinsPerMicro see {@link Probe#calibrate}
 */
record Run(
        Contender contender,
        Workload workload,
        String bootstrap,
        long brokerPid,
        String topic,
        String group,
        long spinsPerMicro) {
    static final String WARM = "-warm";

    List<String> arguments(double scale) {
        return List.of(
                contender.name(),
                workload.name(),
                Double.toString(scale),
                bootstrap,
                Long.toString(brokerPid),
                topic,
                group,
                Long.toString(spinsPerMicro));
    }

    static Run of(String[] arguments) {
        return new Run(
                Contender.valueOf(arguments[0]),
                Workload.of(arguments[1]).scaled(Double.parseDouble(arguments[2])),
                arguments[3],
                Long.parseLong(arguments[4]),
                arguments[5],
                arguments[6],
                Long.parseLong(arguments[7]));
    }
}
