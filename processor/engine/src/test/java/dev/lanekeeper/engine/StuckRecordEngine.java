package dev.lanekeeper.engine;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * An engine in a JVM of its own, to be killed: the customer {@code stuck} never gets done, the number of each other record
 * is appended to a file as four bytes when it is handled. What is in the file survives the process.
 */
final class StuckRecordEngine {
    static final String STUCK = "stuck";

    private StuckRecordEngine() {}

    /** Arguments: bootstrap servers, topic, group, file. */
    public static void main(String[] arguments) throws IOException {
        FileOutputStream file = new FileOutputStream(arguments[3], true);
        LaneKeeper<String, String> keeper = LaneKeeper.<String, String>builder()
                .kafka(Map.of(
                        "bootstrap.servers",
                        arguments[0],
                        "group.id",
                        arguments[2],
                        "session.timeout.ms",
                        "6000",
                        "heartbeat.interval.ms",
                        "500"))
                .topics(arguments[1])
                .deadLetters(arguments[1] + "-dead")
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .commitInterval(Duration.ofMillis(200))
                .asyncHandler(delivery -> {
                    if (STUCK.equals(delivery.key())) {
                        return new CompletableFuture<>();
                    }
                    append(file, Integer.parseInt(String.valueOf(delivery.value())));
                    return CompletableFuture.completedFuture(null);
                })
                .build();
        keeper.start();
        keeper.terminated().join();
    }

    private static void append(FileOutputStream file, int number) {
        try {
            file.write(ByteBuffer.allocate(4).putInt(number).array()); // in one call, so nothing is torn
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
