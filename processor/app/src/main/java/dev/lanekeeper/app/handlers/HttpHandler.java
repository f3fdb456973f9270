package dev.lanekeeper.app.handlers;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.message.Job;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Posts each job to a URL: the record's value as it came, and headers that say where it came from. Thread-safe; never
 * blocks its caller.
 *
 * <ul>
 *   <li>A job is done when the answer's status is 2xx.
 *   <li>A time-out covers the whole answer. The request is then cancelled, so that the next attempt of the same customer
 *       is the only one open here; the other side may still be at work on the first one.
 *   <li>Redirects are not followed.
 * </ul>
 */
final class HttpHandler implements AsyncHandler<String, Job>, AutoCloseable {
    private static final int THREADS = 4;

    private final Duration timeout;
    private final JobRequest requests;
    private final Answer answers;
    private final ExecutorService executor;
    private final HttpClient client;
    private final Map<Long, CompletableFuture<?>> open = new ConcurrentHashMap<>();
    private final AtomicLong requestCount = new AtomicLong();

    HttpHandler(URI url, Duration timeout, LaneKey laneKey) {
        this.timeout = timeout;
        this.requests = new JobRequest(url, laneKey);
        this.answers = new Answer(url, timeout, Clock.systemUTC());
        this.executor = Executors.newFixedThreadPool(THREADS, daemons());
        this.client = HttpClient.newBuilder()
                .executor(executor)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .version(versionFor(url))
                .build();
    }

    @Override
    public CompletionStage<?> handle(Delivery<String, Job> delivery) {
        CompletableFuture<HttpResponse<String>> exchange =
                client.sendAsync(requests.of(delivery), response -> new ShortBody());
        long number = requestCount.incrementAndGet();
        open.put(number, exchange);
        return exchange.copy()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .handleAsync((response, failure) -> end(number, response, failure), executor);
    }

    /** Cancels what is still open: whoever closes has waited as long as it wants to. */
    @Override
    public void close() {
        open.values().forEach(exchange -> exchange.cancel(true));
        executor.shutdown();
    }

    private @Nullable Void end(long number, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        CompletableFuture<?> exchange = open.remove(number);
        if (response == null) {
            if (exchange != null) {
                exchange.cancel(true);
            }
            throw answers.missing(failure);
        }
        answers.check(response);
        return null;
    }

    /** Without TLS, the offer to switch to HTTP/2 would go along with every request and upset some servers. */
    private static HttpClient.Version versionFor(URI url) {
        return url.getScheme().toLowerCase(Locale.ROOT).equals("https")
                ? HttpClient.Version.HTTP_2
                : HttpClient.Version.HTTP_1_1;
    }

    private static ThreadFactory daemons() {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "lanekeeper-http-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
