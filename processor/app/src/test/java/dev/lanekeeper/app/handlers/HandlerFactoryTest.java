package dev.lanekeeper.app.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lanekeeper.app.config.ConfigurationException;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.message.Job;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerFactoryTest {
    /** A handler as a user would write it. */
    public static final class Mine implements Handler<String, Job>, ConfigurableHandler, AutoCloseable {
        private Map<String, String> settings = Map.of();
        private boolean closed;

        @Override
        public void handle(Delivery<String, Job> delivery) {}

        @Override
        public void configure(Map<String, String> given) {
            if (given.getOrDefault("handler.mine.colour", "").equals("blue")) {
                throw new IllegalArgumentException("handler.mine.colour must be red or green: blue");
            }
            settings = given;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** The other form. */
    public static final class MineAsync implements AsyncHandler<String, Job> {
        @Override
        public CompletionStage<?> handle(Delivery<String, Job> delivery) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Cannot be made. */
    public static final class Broken implements Handler<String, Job> {
        /** Fails. */
        public Broken() {
            throw new IllegalStateException("no licence");
        }

        @Override
        public void handle(Delivery<String, Job> delivery) {}
    }

    /** Has no constructor to call. */
    public record Closed(String name) implements Handler<String, Job> {
        @Override
        public void handle(Delivery<String, Job> delivery) {}
    }

    @Test
    void classIsMadeConfiguredAndClosed() {
        JobHandler handler = HandlerFactory.create(
                config(Map.of("lanekeeper.handler", Mine.class.getName(), "handler.mine.colour", "red")));

        assertThat(handler).isInstanceOf(JobHandler.Blocking.class);
        Mine mine = (Mine) handler.handler();
        assertThat(mine.settings).containsEntry("handler.mine.colour", "red");
        handler.close();
        assertThat(mine.closed).isTrue();
    }

    @Test
    void bothFormsAreTaken() {
        JobHandler handler = HandlerFactory.create(config(Map.of("lanekeeper.handler", MineAsync.class.getName())));

        assertThat(handler).isInstanceOf(JobHandler.Async.class);
        handler.close();
    }

    @Test
    void httpIsMade() {
        try (JobHandler handler = HandlerFactory.create(config(Map.of("handler.http.url", "http://localhost:1/")))) {
            assertThat(handler.handler()).isInstanceOf(HttpHandler.class);
        }
    }

    @Test
    void httpNeedsAUrl() {
        assertRefused(Map.of(), "handler.http.url is not set");
    }

    @Test
    void whatCannotBeMadeIsNamedWithTheReason() {
        assertRefused(Map.of("lanekeeper.handler", "no.such.Thing"), "\"no.such.Thing\" is not allowed: no such class");
        assertRefused(Map.of("lanekeeper.handler", "java.lang.String"), "neither a Handler nor an AsyncHandler");
        assertRefused(Map.of("lanekeeper.handler", Broken.class.getName()), "no licence");
        assertRefused(Map.of("lanekeeper.handler", Closed.class.getName()), "public constructor without arguments");
        assertRefused(Map.of("lanekeeper.handler", "java.lang.Runnable"), "public constructor without arguments");
    }

    @Test
    void settingThatTheHandlerRefusesIsAConfigurationError() {
        assertRefused(
                Map.of("lanekeeper.handler", Mine.class.getName(), "handler.mine.colour", "blue"),
                "handler.mine.colour must be red or green: blue");
    }

    @Test
    void jobOfTheKeysCustomerIsHandled() throws Exception {
        assertThat(handled(new LaneKey(Optional.empty()), FakeDelivery.of("c-1", "deposit", 1)))
                .isEqualTo(2);
    }

    @Test
    void jobUnderAnotherCustomersKeyIsRefusedForGood() {
        FakeDelivery delivery = FakeDelivery.ofValue("c-2", FakeDelivery.JOB.formatted("c-1", "deposit"), 1);

        assertThatExceptionOfType(TerminalException.class)
                .isThrownBy(() -> handled(new LaneKey(Optional.empty()), delivery))
                .withMessageContaining("\"c-2\"")
                .withMessageContaining("\"c-1\"");
    }

    @Test
    void orderByAHeaderLeavesTheCustomerAlone() throws Exception {
        FakeDelivery delivery = FakeDelivery.ofValue("c-2", FakeDelivery.JOB.formatted("c-1", "deposit"), 1);

        assertThat(handled(new LaneKey(Optional.of("tenant")), delivery)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordWithoutAValueIsRefusedForGood(boolean keyed) {
        LaneKey laneKey = new LaneKey(keyed ? Optional.empty() : Optional.of("tenant"));
        FakeDelivery delivery = FakeDelivery.ofValue("c-1", null, 1);

        assertThatExceptionOfType(TerminalException.class)
                .isThrownBy(() -> handled(laneKey, delivery))
                .withMessageContaining("no value");
    }

    /** How often a handler of each form was called. */
    private static int handled(LaneKey laneKey, FakeDelivery delivery) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        JobHandler.Blocking blocking = new JobHandler.Blocking(ignored -> calls.incrementAndGet());
        JobHandler.Async async = new JobHandler.Async(ignored -> {
            calls.incrementAndGet();
            return CompletableFuture.completedFuture(null);
        });
        ((JobHandler.Blocking) HandlerFactory.checked(blocking, laneKey))
                .handler()
                .handle(delivery);
        ((JobHandler.Async) HandlerFactory.checked(async, laneKey)).handler().handle(delivery);
        return calls.get();
    }

    private static void assertRefused(Map<String, String> settings, String part) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> HandlerFactory.create(config(settings)))
                .withMessageContaining(part);
    }

    private static LanekeeperConfig config(Map<String, String> settings) {
        Map<String, String> file = new HashMap<>(Map.of("kafka.bootstrap.servers", "localhost:9092"));
        file.putAll(settings);
        return LanekeeperConfig.load(file, Map.of(), Map.of());
    }
}
