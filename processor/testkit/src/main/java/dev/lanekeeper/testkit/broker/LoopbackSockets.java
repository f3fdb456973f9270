package dev.lanekeeper.testkit.broker;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * Sockets bound before the broker's configuration is written, so that a free port stays free until the broker has it,
 * and a taken one is found before anything was started. Thread-safe.
 */
final class LoopbackSockets implements ServerSocketFactory, AutoCloseable {
    private static final int BACKLOG = 128;
    private static final InetAddress LOOPBACK = loopback();

    private final Map<Integer, ServerSocketChannel> waiting = new ConcurrentHashMap<>();

    private static InetAddress loopback() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1}); // never ::1, which clients are not told
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    /** Binds {@code port}, or a free one for 0, and returns which. */
    int bind(int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false); // the broker's acceptor selects on it
            channel.bind(new InetSocketAddress(LOOPBACK, port), BACKLOG);
        } catch (SocketException e) {
            channel.close();
            throw refused(port, e);
        }
        int bound = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        waiting.put(bound, channel);
        return bound;
    }

    private static BindException refused(int port, SocketException cause) {
        String reason = cause instanceof BindException
                        && String.valueOf(cause.getMessage()).contains("in use")
                ? "port " + port + " on " + SingleNode.LOOPBACK + " is taken by another program"
                : "cannot listen on port " + port + " of " + SingleNode.LOOPBACK + " (" + cause.getMessage() + ")";
        BindException refused = new BindException(reason + "; choose another port, or 0 for any free one");
        refused.initCause(cause);
        return refused;
    }

    @Override
    public ServerSocketChannel openServerSocket(
            String listener, InetSocketAddress address, int backlog, int receiveBufferBytes) throws IOException {
        ServerSocketChannel bound = waiting.remove(address.getPort());
        return bound != null
                ? bound
                : ServerSocketFactory.INSTANCE.openServerSocket(listener, address, backlog, receiveBufferBytes);
    }

    /** Closes what no broker has taken. */
    @Override
    public void close() throws IOException {
        for (ServerSocketChannel channel : waiting.values()) {
            channel.close();
        }
        waiting.clear();
    }
}
