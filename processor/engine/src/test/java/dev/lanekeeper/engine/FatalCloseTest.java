package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** After an error that it can't go on from an engine ends, whatever else goes wrong then, and whoever waits for it hears of it. */
@Timeout(60)
class FatalCloseTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    /** Its close fails as nothing of the client's says. */
    @SuppressWarnings("unchecked") // a proxy's types are those it is told
    private Consumer<byte[], byte[]> consumerThatCantClose() {
        return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        throw new NoClassDefFoundError("planted, at the close");
                    }
                    try {
                        return method.invoke(rig.consumer, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void awaitFailed(LaneKeeper<?, ?> keeper) {
        EngineRig.await().until(() -> keeper.terminated().isCompletedExceptionally());
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
        assertThat(keeper.view().failure()).get().asString().endsWith("planted");
    }

    @Test
    void aConsumerThatCantBeClosed() {
        LaneKeeper<String, String> keeper = rig.start(
                builder -> builder.consumer(this::consumerThatCantClose).handler(delivery -> {
                    throw new OutOfMemoryError("planted");
                }));
        rig.send("a=1");
        awaitFailed(keeper);
    }

    @Test
    void aProducerThatCantBeClosed() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public void close(Duration timeout) {
                        throw new NoClassDefFoundError("planted, at the close");
                    }
                };
        LaneKeeper<String, String> keeper =
                rig.start(builder -> builder.producer(() -> producer).handler(delivery -> {
                    throw new OutOfMemoryError("planted");
                }));
        rig.send("a=1");
        awaitFailed(keeper);
    }

    /** What it handled of a batch is on its way, which is no handler's work: nobody waits twenty seconds for that. */
    @Test
    void aBatchThatIsOnItsWayOutIsNotAwaited() {
        EngineRig silent = EngineRig.silent();
        BatchPuppet others = new BatchPuppet(silent);
        try {
            LaneKeeper<String, String> keeper =
                    silent.start(builder -> builder.batchHandler(others.handler(), BatchLimit.records(10)));
            others.holding(keeper, "a=1", "a=2", "a=3").finish();
            others.run("1", "2", "3").emit().finish();
            EngineRig.await().until(() -> silent.sent("out").size() == 1);
            silent.send("b=x");
            others.run("x").fail(new OutOfMemoryError("planted"));
            EngineRig.await().until(() -> silent.consumer.closed());
        } finally {
            others.finishAll();
            silent.close();
        }
    }
}
