package dev.lanekeeper.engine.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Keeps the engine's log lines out of thousands of worlds, where they would tell of faults that are meant to be. */
final class Silence implements BeforeAllCallback, AfterAllCallback {
    private final boolean wanted;
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.lanekeeper");

    Silence(boolean wanted) {
        this.wanted = wanted;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (wanted) {
            logger.setLevel(Level.OFF);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        logger.setLevel(null);
    }
}
