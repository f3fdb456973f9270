package dev.lanekeeper.testkit.broker;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a Docker daemon answers, found out without Testcontainers, which logs an error where there is none.
 *
 * @param path where the daemon listens
 */
record DockerSocket(Path path) {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final byte[] PING =
            "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** The one that {@code DOCKER_HOST} names, else the usual one. A host over TCP is not looked for. */
    static DockerSocket ofThisMachine(@Nullable String dockerHost) {
        String scheme = "unix://";
        return new DockerSocket(
                dockerHost != null && dockerHost.startsWith(scheme)
                        ? Path.of(dockerHost.substring(scheme.length()))
                        : Path.of("/var/run/docker.sock"));
    }

    /** Asks the daemon for a sign of life; waits 3 s at most, and not at all where nothing listens. */
    boolean answers() {
        if (!Files.exists(path)) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
                Selector selector = Selector.open()) {
            channel.write(ByteBuffer.wrap(PING));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            if (selector.select(PATIENCE.toMillis()) == 0) {
                return false;
            }
            ByteBuffer answer = ByteBuffer.allocate(64);
            channel.read(answer);
            return isOk(new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII));
        } catch (IOException | UnsupportedOperationException e) {
            return false; // no right to it, no daemon behind it, or no such sockets: all the same to a test
        }
    }

    private static boolean isOk(String answer) {
        return answer.startsWith("HTTP/1.") && answer.contains(" 200");
    }
}
