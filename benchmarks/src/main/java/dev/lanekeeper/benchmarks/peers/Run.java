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
 * @param topic to measure with
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

    /** The topic to warm up with: the same, unless it is filled only during the run. */
    String warmingUp() {
        return workload.paced() ? warmingUp(topic) : topic;
    }

    static String warmingUp(String topic) {
        return topic + "-warm";
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
