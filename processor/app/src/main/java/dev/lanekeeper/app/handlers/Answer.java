package dev.lanekeeper.app.handlers;

import dev.lanekeeper.engine.handler.RetryLaterException;
import dev.lanekeeper.engine.handler.TerminalException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Judges the answer to a request: done, to be tried again, or failed for good. Immutable. */
final class Answer {
    private static final Set<Integer> TRY_AGAIN = Set.of(408, 425, 429);
    /** More than any policy waits, and far from what overflows. */
    private static final long LONGEST_SECONDS = Duration.ofDays(1).toSeconds();

    private final String where;
    private final Duration timeout;
    private final Clock clock;

    Answer(URI url, Duration timeout, Clock clock) {
        this.where = withoutSecrets(url);
        this.timeout = timeout;
        this.clock = clock;
    }

    /** Returns if the job is done; else throws what says how to go on. */
    void check(HttpResponse<String> response) {
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return;
        }
        String body = response.body().isEmpty() ? "" : ": " + response.body();
        String message = "POST " + where + " was answered with status " + status + body;
        if (status < 500 && !TRY_AGAIN.contains(status)) {
            throw new TerminalException(message);
        }
        Optional<Duration> wait = response.headers().firstValue("Retry-After").flatMap(this::retryAfter);
        if (wait.isPresent()) {
            throw new RetryLaterException(wait.get(), message, null);
        }
        throw new HttpHandlerException(message, null);
    }

    /** For a request that was not answered, whatever the reason. */
    HttpHandlerException missing(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException) {
            return new HttpHandlerException(
                    "POST " + where + " was not answered within " + timeout.toMillis() + " ms", cause);
        }
        return new HttpHandlerException("POST " + where + " was not answered: " + cause, cause);
    }

    private Optional<Duration> retryAfter(String header) {
        String value = header.strip();
        if (value.matches("\\d{1,18}")) {
            return Optional.of(Duration.ofSeconds(Math.min(Long.parseLong(value), LONGEST_SECONDS)));
        }
        try {
            ZonedDateTime date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
            long seconds = Duration.between(clock.instant(), date.toInstant()).toSeconds();
            return Optional.of(Duration.ofSeconds(Math.max(0, Math.min(seconds, LONGEST_SECONDS))));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Messages end up in headers and logs: neither a password nor a query's token may. */
    private static String withoutSecrets(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme() + "://" + url.getHost() + port + (url.getRawPath() == null ? "" : url.getRawPath());
    }
}
