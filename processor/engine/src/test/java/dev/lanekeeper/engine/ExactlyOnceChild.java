package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.handler.RateLimit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * An engine in a process of its own that copies one topic to another: for {@link ExactlyOnceIT}, which kills it. Arguments:
 * servers, source, target, group, transactional id, or {@code -} for none.
 */
final class ExactlyOnceChild {
    private ExactlyOnceChild() {}

    /** Keeps transactions open for a while when the broker has their outputs: a kill then finds one. */
    public static final class SlowAcknowledgements implements ProducerInterceptor<byte[], byte[]> {
        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            return record;
        }

        @Override
        public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> settings) {}
    }

    public static void main(String[] arguments) throws Exception {
        String target = arguments[2];
        LaneKeeperBuilder<String, String> builder = LaneKeeper.<String, String>builder()
                .name(arguments[4])
                .kafka(Map.of("bootstrap.servers", arguments[0], "group.id", arguments[3]))
                .consumerSettings(Map.of("session.timeout.ms", 6_000, "heartbeat.interval.ms", 500))
                .topics(arguments[1])
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .producerSettings(Map.of("interceptor.classes", SlowAcknowledgements.class.getName()))
                .concurrency(16)
                .rateLimit(RateLimit.perSecond(500)) // or there is nothing left to do when the kills come
                .commitInterval(Duration.ofMillis(100))
                .handler(delivery -> {
                    long offset = delivery.record().offset();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(offset % 7));
                    delivery.emit(new ProducerRecord<>(
                            target,
                            delivery.record().key(),
                            String.valueOf(delivery.value()).getBytes(UTF_8)));
                    if (offset % 50 == 0 && delivery.attempt() == 1) {
                        throw new IllegalStateException("the first attempt fails, and its output must not be seen");
                    }
                });
        if (!arguments[4].equals("-")) {
            builder.exactlyOnce(arguments[4]);
        }
        LaneKeeper<String, String> keeper = builder.build();
        Runtime.getRuntime().addShutdownHook(new Thread(keeper::close, "close"));
        keeper.start();
        System.out.println("running");
        keeper.terminated().get(1, TimeUnit.DAYS);
    }
}
