package dev.lanekeeper.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Builds the bytes of one key or value of a store. Confined to its caller. */
final class StateWriter {
    private ByteBuffer buffer = ByteBuffer.allocate(96);

    StateWriter put(byte value) {
        room(Byte.BYTES).put(value);
        return this;
    }

    StateWriter put(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    StateWriter put(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    StateWriter put(byte[] value) {
        room(Integer.BYTES + value.length).putInt(value.length).put(value);
        return this;
    }

    StateWriter put(String value) {
        return put(value.getBytes(StandardCharsets.UTF_8));
    }

    StateWriter put(Instant value) {
        return put(value.getEpochSecond()).put(value.getNano());
    }

    StateWriter put(Run run) {
        return put(run.instance()).put(run.epoch());
    }

    byte[] bytes() {
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            int size = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
            buffer = ByteBuffer.allocate(size).put(bytes());
        }
        return buffer;
    }
}
