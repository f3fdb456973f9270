package dev.lanekeeper.testkit.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between clients and a server on loopback, and breaks what is between them when a test says so: cuts connections,
 * refuses new ones, stops the flow in one direction or both, loses answers. What gets through is unchanged. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MS = 2_000;

    private final ServerSocket clients;
    private final InetSocketAddress server;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final Tap requests = new Tap();
    private final Tap answers = new Tap();
    private volatile boolean refusing;

    private FaultProxy(ServerSocket clients, InetSocketAddress server) {
        this.clients = clients;
        this.server = server;
    }

    /** Listens on a free port of loopback, in front of the server on {@code serverPort}. */
    public static FaultProxy before(int serverPort) {
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            ServerSocket clients = new ServerSocket(0, 128, loopback);
            FaultProxy proxy = new FaultProxy(clients, new InetSocketAddress(loopback, serverPort));
            daemon("fault-proxy-" + proxy.port(), proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("no port for a proxy of port " + serverPort, e);
        }
    }

    /** Where clients connect to. */
    public int port() {
        return clients.getLocalPort();
    }

    /** Connections made through it so far: a test whose clients never came proves nothing. */
    public int connections() {
        return connections.get();
    }

    /** Ends all connections with a reset; new ones are let through. */
    public void cut() {
        links.forEach(Link::reset);
    }

    /** Whether connections are ended and new ones reset, as if nobody listened. */
    public void refuse(boolean refuse) {
        refusing = refuse;
        if (refuse) {
            cut();
        }
    }

    /** Stops the flow of requests: connections stay, and nothing arrives at the server until {@link #flow}. */
    public void holdRequests() {
        requests.shut();
    }

    /** Stops the flow of answers: what was asked is done, and nobody is told until {@link #flow}. */
    public void holdAnswers() {
        answers.shut();
    }

    /** Ends {@link #holdRequests}, {@link #holdAnswers} and {@link #refuse}. */
    public void flow() {
        refusing = false;
        requests.open();
        answers.open();
    }

    private void accept() {
        while (!clients.isClosed()) {
            try {
                connect(clients.accept());
            } catch (IOException e) {
                // closed, or a client that went away while it was taken
            }
        }
    }

    private void connect(Socket client) throws IOException {
        if (refusing) {
            reset(client);
            return;
        }
        Socket toServer = new Socket();
        try {
            toServer.connect(server, CONNECT_TIMEOUT_MS);
            client.setTcpNoDelay(true);
            toServer.setTcpNoDelay(true);
        } catch (IOException e) {
            reset(client);
            reset(toServer);
            return;
        }
        connections.incrementAndGet();
        Link link = new Link(client, toServer);
        links.add(link);
        daemon("fault-proxy-" + port() + "-requests", () -> link.pump(client, toServer, requests));
        daemon("fault-proxy-" + port() + "-answers", () -> link.pump(toServer, client, answers));
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0); // a reset, not an orderly end
            socket.close();
        } catch (IOException e) {
            // it has ended before
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            clients.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            cut();
            flow();
        }
    }

    /** One client's connection and the one made for it. */
    private final class Link {
        private final Socket client;
        private final Socket server;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, Tap tap) {
            byte[] buffer = new byte[64 * 1024];
            try {
                for (int read = from.getInputStream().read(buffer); read >= 0; ) {
                    tap.awaitOpen();
                    to.getOutputStream().write(buffer, 0, read);
                    read = from.getInputStream().read(buffer);
                }
            } catch (IOException e) {
                // cut by the test, or ended by one side
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                reset();
            }
        }

        void reset() {
            links.remove(this);
            FaultProxy.reset(client);
            FaultProxy.reset(server);
        }
    }

    /** Lets bytes through while it is open. */
    private static final class Tap {
        private boolean shut;

        synchronized void shut() {
            shut = true;
        }

        synchronized void open() {
            shut = false;
            notifyAll();
        }

        synchronized void awaitOpen() throws InterruptedException {
            while (shut) {
                wait();
            }
        }
    }
}
