package dev.lanekeeper.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FaultProxyTest {
    private final AtomicInteger bytesAtServer = new AtomicInteger();
    private ServerSocket server = unbound();
    private FaultProxy proxy = FaultProxy.before(1);

    private static ServerSocket unbound() {
        try {
            return new ServerSocket();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void startEcho() throws IOException {
        proxy.close();
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        proxy = FaultProxy.before(server.getLocalPort());
        Thread accepting = new Thread(this::accept, "echo");
        accepting.setDaemon(true);
        accepting.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread echo = new Thread(() -> echo(socket), "echo-connection");
                echo.setDaemon(true);
                echo.start();
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    private void echo(Socket socket) {
        try (socket) {
            for (int next = socket.getInputStream().read(); next >= 0; ) {
                bytesAtServer.incrementAndGet();
                socket.getOutputStream().write(next);
                next = socket.getInputStream().read();
            }
        } catch (IOException e) {
            // cut
        }
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private static int ask(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    @Test
    void whatGetsThroughIsUnchanged() throws IOException {
        try (Socket client = connect()) {
            for (int value = 0; value < 256; value++) {
                assertThat(ask(client, value)).isEqualTo(value);
            }
        }
        assertThat(proxy.connections()).isEqualTo(1);
    }

    @Test
    void aCutEndsWhatIsConnectedAndNothingElse() throws IOException {
        try (Socket before = connect()) {
            assertThat(ask(before, 1)).isEqualTo(1);
            proxy.cut();
            assertThatThrownBy(() -> ask(before, 2)).isInstanceOf(IOException.class);
            try (Socket after = connect()) {
                assertThat(ask(after, 3)).isEqualTo(3);
            }
        }
    }

    @Test
    void whoIsRefusedIsLetInAgainLater() throws IOException {
        proxy.refuse(true);
        assertThatThrownBy(() -> {
                    try (Socket refused = connect()) {
                        if (ask(refused, 1) < 0) {
                            throw new IOException("ended");
                        }
                    }
                })
                .isInstanceOf(IOException.class);
        proxy.flow();
        try (Socket client = connect()) {
            assertThat(ask(client, 2)).isEqualTo(2);
        }
    }

    @Test
    void heldRequestsDoNotReachTheServerUntilTheyFlow() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, 1)).isEqualTo(1);
            proxy.holdRequests();
            client.getOutputStream().write(2);
            client.setSoTimeout(200);
            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("timed out");
            assertThat(bytesAtServer).hasValue(1);
            client.setSoTimeout(0);
            proxy.flow();
            assertThat(client.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void withAnswersHeldTheServerDoesWhatNobodyLearnsOf() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, 1)).isEqualTo(1);
            proxy.holdAnswers();
            client.getOutputStream().write(2);
            await().until(() -> bytesAtServer.get() == 2);
            proxy.cut();
            proxy.flow();
            assertThatThrownBy(() -> {
                        if (client.getInputStream().read() < 0) {
                            throw new IOException("ended");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }
}
