package dev.lanekeeper.app.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lanekeeper.testkit.KeyOrderLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/**
 * What jobs are posted to: answers each after a while, and tells a ledger when requests of a customer begin and end.
 * Thread-safe.
 */
final class JobServer implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int LONGEST_MILLIS = 20;

    private final KeyOrderLedger<String> ledger = new KeyOrderLedger<>();
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    private final AtomicInteger answered = new AtomicInteger();
    private final HttpServer server;
    private volatile String life = "first";

    /** {@code statuses} says how a request is answered. */
    JobServer(ToIntFunction<HttpExchange> statuses) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(executor);
        server.createContext("/", exchange -> begin(exchange, statuses.applyAsInt(exchange)));
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/jobs";
    }

    KeyOrderLedger<String> ledger() {
        return ledger;
    }

    /** Requests that were answered for good. */
    int answered() {
        return answered.get();
    }

    /** From now on another process asks. */
    void nextLife(String name) {
        life = name;
    }

    private void begin(HttpExchange exchange, int status) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String customer = header(exchange, "Lanekeeper-Customer");
        long offset = Long.parseLong(header(exchange, "Lanekeeper-Offset"));
        String by = life;
        ledger.started(customer, offset, by);
        long millis = 1L + Math.floorMod(offset * 31 + customer.hashCode(), (long) LONGEST_MILLIS);
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, executor)
                .execute(() -> end(exchange, status, customer, offset, by));
    }

    private void end(HttpExchange exchange, int status, String customer, long offset, String by) {
        // Before the answer is sent: afterwards the customer's next request may be here already.
        if (status >= 500) {
            ledger.failed(customer, offset, by);
        } else {
            ledger.ended(customer, offset, by);
            answered.incrementAndGet();
        }
        try (exchange) {
            exchange.sendResponseHeaders(status, -1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String header(HttpExchange exchange, String name) {
        return String.valueOf(exchange.getRequestHeaders().getFirst(name));
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
