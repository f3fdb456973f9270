package dev.lanekeeper.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the logs of broker and clients out of what a user of these commands should read. */
final class QuietLogs {
    private static final String LEVEL = "LANEKEEPER_LOG_LEVEL";

    private QuietLogs() {}

    /** Leaves only errors, unless the user has set a level. */
    static void apply() {
        if (System.getenv(LEVEL) == null && System.getProperty(LEVEL) == null) {
            quieten("dev.lanekeeper", Level.WARN);
            quieten("org.apache.kafka", Level.ERROR);
            quieten("kafka", Level.ERROR);
            quieten("state.change.logger", Level.ERROR);
        }
    }

    private static void quieten(String name, Level level) {
        if (LoggerFactory.getLogger(name) instanceof Logger logger) {
            logger.setLevel(level);
        }
    }
}
