package dev.lanekeeper.testkit.broker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerSocketTest {
    @TempDir
    Path folder;

    @Test
    void nothingThereIsNoDocker() {
        assertThat(new DockerSocket(folder.resolve("absent")).answers()).isFalse();
    }

    @Test
    void aPlainFileIsNoDocker() throws IOException {
        assertThat(new DockerSocket(Files.createFile(folder.resolve("file"))).answers())
                .isFalse();
    }

    @Test
    void aDaemonThatIsGoneIsNoDocker() throws IOException {
        Path path = folder.resolve("gone");
        try (ServerSocketChannel server = listen(path)) {
            assertThat(server.isOpen()).isTrue();
        }
        assertThat(path).exists();
        assertThat(new DockerSocket(path).answers()).isFalse();
    }

    @Test
    void aDaemonThatSaysOkIsDocker() throws IOException {
        assertThat(answersWhenToldBy("HTTP/1.0 200 OK\r\n\r\nOK")).isTrue();
    }

    @Test
    void aDaemonInTroubleIsNoDocker() throws IOException {
        assertThat(answersWhenToldBy("HTTP/1.0 500 Internal Server Error\r\n\r\n"))
                .isFalse();
    }

    @Test
    void aDaemonThatIsSilentIsNoDocker() throws IOException {
        Path path = folder.resolve("silent");
        try (ServerSocketChannel server = listen(path)) {
            assertThat(server.isOpen()).isTrue();
            assertThat(new DockerSocket(path).answers()).isFalse();
        }
    }

    @Test
    void thePlaceComesFromTheEnvironment() {
        Path usual = Path.of("/var/run/docker.sock");
        assertThat(DockerSocket.ofThisMachine(null).path()).isEqualTo(usual);
        assertThat(DockerSocket.ofThisMachine("tcp://10.0.0.1:2375").path()).isEqualTo(usual);
        assertThat(DockerSocket.ofThisMachine("unix:///run/user/1/docker.sock").path())
                .isEqualTo(Path.of("/run/user/1/docker.sock"));
    }

    private boolean answersWhenToldBy(String answer) throws IOException {
        Path path = folder.resolve("socket");
        try (ServerSocketChannel server = listen(path)) {
            CompletableFuture<Void> daemon = CompletableFuture.runAsync(() -> answerOnce(server, answer));
            boolean answers = new DockerSocket(path).answers();
            daemon.join();
            return answers;
        }
    }

    private static ServerSocketChannel listen(Path path) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return server.bind(UnixDomainSocketAddress.of(path));
    }

    private static void answerOnce(ServerSocketChannel server, String answer) {
        try (SocketChannel client = server.accept()) {
            client.read(ByteBuffer.allocate(1_024));
            client.write(ByteBuffer.wrap(answer.getBytes(US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
