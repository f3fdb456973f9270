package dev.lanekeeper.app.handlers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The other side of the http handler: answers as a test says, and remembers what it was asked. Thread-safe. */
final class Endpoint implements AutoCloseable {
    /** What one request held; the body's bytes one to one as ISO 8859-1. */
    record Request(String method, String path, Map<String, List<String>> headers, String body) {
        String header(String name) {
            List<String> values = headers.getOrDefault(name, List.of());
            return values.size() == 1 ? values.get(0) : values.toString();
        }
    }

    /** Answers one request. */
    @FunctionalInterface
    interface Reply {
        void to(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    Endpoint(Reply reply) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            requests.add(new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1)));
            try (exchange) {
                reply.to(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    /** Always {@code status}, with a short body and {@code headers} in pairs. */
    static Endpoint answering(int status, String body, String... headers) {
        return new Endpoint(exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/jobs?token=secret");
    }

    List<Request> requests() {
        return requests;
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
