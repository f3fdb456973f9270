package dev.lanekeeper.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Takes apart what a {@link StateWriter} built, in the same order. Confined to its caller. */
final class StateReader {
    private final ByteBuffer buffer;

    StateReader(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
    }

    boolean hasMore() {
        return buffer.hasRemaining();
    }

    byte flag() {
        return buffer.get();
    }

    int number() {
        return buffer.getInt();
    }

    long longNumber() {
        return buffer.getLong();
    }

    byte[] bytes() {
        byte[] bytes = new byte[buffer.getInt()];
        buffer.get(bytes);
        return bytes;
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    Instant instant() {
        return Instant.ofEpochSecond(buffer.getLong(), buffer.getInt());
    }

    Run run() {
        return new Run(text(), number());
    }
}
