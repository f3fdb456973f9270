package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FencingToken;
import dev.lanekeeper.engine.handler.HandlerContext;
import dev.lanekeeper.lanes.LaneThreads;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.MDC;

/** What a handler finds around it: contexts, the log context, its token, its headers, its thread. */
@Timeout(60)
class HandlerContextTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Writes down what happens to it and on which thread. */
    private final class Recorder implements HandlerContext {
        private final String name;

        Recorder(String name) {
            this.name = name;
        }

        @Override
        public Scope enter(Delivery<?, ?> delivery) {
            Thread entered = Thread.currentThread();
            log.add(name + " enter " + delivery.attempt());
            return new Scope() {
                @Override
                public void leave() {
                    log.add(name + " leave" + (Thread.currentThread() == entered ? "" : " elsewhere"));
                }

                @Override
                public void ended(@Nullable Throwable failure) {
                    log.add(name + " ended " + (failure == null ? "well" : failure.getMessage()));
                }
            };
        }
    }

    @Test
    void contextsAreNestedAndSurroundEachAttempt() {
        rig.start(settings -> settings.context(new Recorder("outer"))
                .context(new Recorder("inner"))
                .handler(delivery -> {
                    log.add("handle");
                    if (delivery.attempt() == 1) {
                        throw new IllegalStateException("planned");
                    }
                }));
        rig.send("a=0");
        rig.awaitCommitted(1);
        assertThat(log)
                .containsExactly(
                        "outer enter 1",
                        "inner enter 1",
                        "handle",
                        "inner leave",
                        "outer leave",
                        "inner ended planned",
                        "outer ended planned",
                        "outer enter 2",
                        "inner enter 2",
                        "handle",
                        "inner leave",
                        "outer leave",
                        "inner ended well",
                        "outer ended well");
    }

    @Test
    void anAsynchronousAttemptEndsWhenItsStageDoes() {
        rig.start(settings -> settings.context(new Recorder("it")).asyncHandler(rig.puppet.async()));
        rig.send("a=0", "b=1");
        Puppet.Run run = rig.puppet.run("0");
        Puppet.Run other = rig.puppet.run("1");
        await().until(() -> log.stream().filter("it leave"::equals).count() == 2);
        assertThat(log).noneMatch(line -> line.startsWith("it ended"));
        run.finish();
        rig.awaitCommitted(1);
        assertThat(log).contains("it ended well");
        other.fail(new CompletionException("wrapped", new IllegalStateException("planned")));
        await().until(() -> log.contains("it ended wrapped"));
        rig.puppet.run("1", 1).finish();
        rig.awaitCommitted(2);
    }

    /** A tracer that is broken must not stop the work. */
    @Test
    void contextsThatThrowChangeNothing() {
        HandlerContext noEntry = delivery -> {
            throw new IllegalStateException("planned");
        };
        HandlerContext noExit = delivery -> () -> {
            throw new LinkageError("planned");
        };
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.context(noEntry)
                .context(noExit)
                .context(new Recorder("it"))
                .handler(delivery -> log.add("handle")));
        rig.send("a=0", "a=1");
        rig.awaitCommitted(2);
        assertThat(keeper.view().failedAttempts()).isZero();
        assertThat(log.subList(0, 4)).containsExactly("it enter 1", "handle", "it leave", "it ended well");
    }

    @Test
    void theLogContextSaysWhichRecordItIsDuringTheCallOnly() {
        CompletableFuture<Map<String, String>> during = new CompletableFuture<>();
        CompletableFuture<Map<String, String>> after = new CompletableFuture<>();
        HandlerContext last = delivery -> () -> {};
        HandlerContext first =
                delivery -> () -> after.complete(Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of()));
        rig.start(settings -> settings.context(first)
                .logContext()
                .context(last)
                .handler(delivery -> during.complete(MDC.getCopyOfContextMap())));
        rig.send("a=0");
        rig.awaitCommitted(1);
        assertThat(during.join())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "lanekeeper.topic", "jobs",
                        "lanekeeper.partition", "0",
                        "lanekeeper.offset", "0",
                        "lanekeeper.attempt", "1"));
        assertThat(after.join()).isEmpty();
    }

    @Test
    void aDeliveryCarriesItsTokenOfTheIncarnationThatWasConfigured() {
        CompletableFuture<FencingToken> token = new CompletableFuture<>();
        rig.start(settings -> settings.incarnation(3).handler(delivery -> {
            if ("1".equals(delivery.value())) {
                token.complete(delivery.token());
            }
        }));
        rig.send("a=0", "a=1");
        rig.awaitCommitted(2);
        assertThat(token.join()).isEqualTo(new FencingToken(3, "jobs", P0.partition(), 1));
    }

    @Test
    void aDeliveryFindsTheLastHeaderOfAName() {
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        rig.start(settings -> settings.handler(delivery -> {
            delivery.record().headers().add("traceparent", new byte[] {'o', 'l', 'd'});
            delivery.record().headers().add("traceparent", new byte[] {'n', 'e', 'w'});
            delivery.record().headers().add("empty", null);
            found.complete(List.of(
                    String.valueOf(delivery.header("traceparent")),
                    String.valueOf(delivery.header("empty")),
                    String.valueOf(delivery.header("none"))));
        }));
        rig.send("a=0");
        assertThat(found.join()).containsExactly("new", "null", "null");
    }

    /** On 21 and later; elsewhere they are platform threads. Either way they are the engine's own and named so. */
    @Test
    void handlersRunOnVirtualThreadsWhereThereAreAny() throws ReflectiveOperationException {
        rig.startBlocking();
        rig.send("a=0");
        Thread thread = rig.puppet.run("0").thread();
        assertThat(thread.getName()).startsWith("lanekeeper-worker-");
        assertThat(isVirtual(thread)).isEqualTo(Runtime.version().feature() >= 21);
        assertThat(LaneThreads.virtual()).isEqualTo(isVirtual(thread));
    }

    @Test
    void asynchronousHandlersAreCalledOnSuchThreadsToo() throws ReflectiveOperationException {
        rig.startAsync();
        rig.send("a=0");
        assertThat(isVirtual(rig.puppet.run("0").thread()))
                .isEqualTo(Runtime.version().feature() >= 21);
    }

    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }
}
