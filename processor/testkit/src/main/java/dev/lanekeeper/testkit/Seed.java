package dev.lanekeeper.testkit;

import java.io.Serial;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chance that can be repeated: {@code @ExtendWith(Seed.class)} gives a test method a {@link RandomGenerator} or {@link
 * Random}, and a failure of the test the seed to run it again with. Stateless.
 *
 * <p>The seed is fixed unless {@code -Dlanekeeper.seed} gives another. Each test, and each repetition of one, draws
 * other numbers from it, and the same ones every time, whichever tests run beside it.
 */
public final class Seed implements ParameterResolver, TestExecutionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Seed.class);
    private static final String PROPERTY = "lanekeeper.seed";
    private static final long FIXED = 20_260_101;

    /** The seed of this run, for what cannot have it injected. */
    public static long value() {
        return parse(System.getProperty(PROPERTY, Long.toString(FIXED)));
    }

    static long parse(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("-D" + PROPERTY + " must be a whole number: " + text, e);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == RandomGenerator.class || type == Random.class;
    }

    @Override
    public Random resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return random(value(), context.getUniqueId(), parameter.getIndex());
    }

    /** Mixed with the test's id, so that a test does not depend on which others ran before it. */
    static Random random(long seed, String testId, int index) {
        return new Random(31 * (31 * seed + testId.hashCode()) + index);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        String advice = "run it again with -D" + PROPERTY + "=" + value();
        LOG.error("{} failed; {}", context.getDisplayName(), advice);
        failure.addSuppressed(new Note(advice));
        throw failure;
    }

    /** Carries the seed in the failure's own stack trace. */
    private static final class Note extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        Note(String message) {
            super(message, null, false, false);
        }
    }
}
