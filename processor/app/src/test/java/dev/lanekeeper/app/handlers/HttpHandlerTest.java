package dev.lanekeeper.app.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.lanekeeper.engine.handler.RetryLaterException;
import dev.lanekeeper.engine.handler.TerminalException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpHandlerTest {
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final LaneKey RECORD_KEY = new LaneKey(Optional.empty());

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    void every2xxIsDone(int status) {
        try (Endpoint endpoint = Endpoint.answering(status, "")) {
            assertThat(failureOf(endpoint)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504, 599})
    void statusThatMayPassIsTriedAgain(int status) {
        try (Endpoint endpoint = Endpoint.answering(status, "busy")) {
            assertThat(failureOf(endpoint))
                    .isInstanceOf(HttpHandlerException.class)
                    .hasMessageContaining("status " + status)
                    .hasMessageContaining(": busy");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 422, 499})
    void otherStatusIsFinalAndNamesEverything(int status) {
        try (Endpoint endpoint = Endpoint.answering(status, status == 304 ? "" : "no such account", "Location", "/x")) {
            assertThat(failureOf(endpoint))
                    .isInstanceOf(TerminalException.class)
                    .hasMessageContaining("status " + status)
                    .hasMessageContaining(
                            "POST http://127.0.0.1:" + endpoint.url().getPort() + "/jobs was")
                    .hasMessageContaining(status == 304 ? "" : "no such account");
            assertThat(endpoint.requests()).hasSize(1);
        }
    }

    @Test
    void longBodyIsReadToItsEndAndShortened() {
        try (Endpoint endpoint = Endpoint.answering(400, "x y\n".repeat(200_000))) {
            Throwable failure = failureOf(endpoint);
            assertThat(failure).hasMessageContaining("x y x y").hasMessageEndingWith("…");
            assertThat(String.valueOf(failure)).hasSizeLessThan(700).doesNotContain("\n", "secret");
        }
    }

    @Test
    void retryAfterInSecondsIsHonoured() {
        try (Endpoint endpoint = Endpoint.answering(503, "", "Retry-After", " 7 ")) {
            assertThat(retryDelay(endpoint)).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @Test
    void retryAfterAsADateIsHonoured() {
        Instant date = Instant.now().plusSeconds(90);
        String header = DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atOffset(ZoneOffset.UTC));
        try (Endpoint endpoint = Endpoint.answering(429, "", "Retry-After", header)) {
            assertThat(retryDelay(endpoint).toSeconds()).isCloseTo(89, within(30L));
        }
    }

    @Test
    void retryAfterIsBoundedOnBothSides() {
        String past = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.now().minus(1, ChronoUnit.DAYS).atOffset(ZoneOffset.UTC));
        try (Endpoint endpoint = Endpoint.answering(503, "", "Retry-After", past)) {
            assertThat(retryDelay(endpoint)).isEqualTo(Duration.ZERO);
        }
        try (Endpoint endpoint = Endpoint.answering(503, "", "Retry-After", "999999999999999999")) {
            assertThat(retryDelay(endpoint)).isEqualTo(Duration.ofDays(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-5", "1.5", "99999999999999999999999"})
    void retryAfterThatIsNoneLeavesItToThePolicy(String header) {
        try (Endpoint endpoint = Endpoint.answering(503, "", "Retry-After", header)) {
            assertThat(failureOf(endpoint)).isInstanceOf(HttpHandlerException.class);
        }
    }

    @Test
    void retryAfterOfAFinalStatusDoesNotMakeItLessFinal() {
        try (Endpoint endpoint = Endpoint.answering(404, "", "Retry-After", "7")) {
            assertThat(failureOf(endpoint)).isInstanceOf(TerminalException.class);
        }
    }

    @Test
    void requestSaysWhereTheJobComesFromAndCarriesItUnchanged() {
        String json = FakeDelivery.JOB.formatted("c-000123", "deposit").replace("[1,2]", "\"Zoë \\u00eb\" ");
        FakeDelivery delivery = FakeDelivery.ofValue("c-000123", json, 2)
                .withHeader("traceparent", "00-first-01")
                .withHeader("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .withHeader("other", "stays here");
        try (Endpoint endpoint = Endpoint.answering(204, "")) {
            assertThat(failureOf(endpoint, RECORD_KEY, delivery)).isNull();

            Endpoint.Request request = endpoint.requests().get(0);
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.path()).isEqualTo("/jobs?token=secret");
            assertThat(request.body().getBytes(StandardCharsets.ISO_8859_1))
                    .isEqualTo(delivery.record().value());
            assertThat(request.header("Content-type")).isEqualTo("application/json");
            assertThat(request.header("Lanekeeper-customer")).isEqualTo("c-000123");
            assertThat(request.header("Lanekeeper-topic")).isEqualTo("customer-jobs");
            assertThat(request.header("Lanekeeper-partition")).isEqualTo("3");
            assertThat(request.header("Lanekeeper-offset")).isEqualTo("812");
            assertThat(request.header("Lanekeeper-attempt")).isEqualTo("2");
            assertThat(request.header("Lanekeeper-kind")).isEqualTo("deposit");
            assertThat(request.header("Idempotency-key")).isEqualTo("customer-jobs-3-812");
            assertThat(request.header("Traceparent"))
                    .isEqualTo("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
            assertThat(request.headers()).doesNotContainKeys("Other", "Upgrade", "Http2-settings");
        }
    }

    @Test
    void namesThatNoHeaderMayHoldAreEncoded() {
        try (Endpoint endpoint = Endpoint.answering(204, "")) {
            FakeDelivery delivery = FakeDelivery.of("Zoë, 5%", "a b", 1).withHeader("traceparent", "x\r\ny: z");
            assertThat(failureOf(endpoint, RECORD_KEY, delivery)).isNull();
            Endpoint.Request request = endpoint.requests().get(0);
            assertThat(request.header("Lanekeeper-customer")).isEqualTo("Zo%C3%AB%2C%205%25");
            assertThat(request.header("Lanekeeper-kind")).isEqualTo("a%20b");
            assertThat(request.headers()).doesNotContainKeys("Traceparent", "Y");
        }
        assertThat(JobRequest.encoded("Zoë, 5%\r\n")).isEqualTo("Zo%C3%AB%2C%205%25%0D%0A");
        assertThat(JobRequest.encoded("c-000_1.2~3:/@")).isEqualTo("c-000_1.2~3:/@");
    }

    @Test
    void customerIsTheLaneKeyIfThatIsAHeader() {
        FakeDelivery delivery = FakeDelivery.of("c-1", "deposit", 1).withHeader("tenant", "t-9");
        try (Endpoint endpoint = Endpoint.answering(204, "")) {
            assertThat(failureOf(endpoint, new LaneKey(Optional.of("tenant")), delivery))
                    .isNull();
            assertThat(endpoint.requests().get(0).header("Lanekeeper-customer")).isEqualTo("t-9");
        }
    }

    @Test
    void answerThatDoesNotComeIsTriedAgainAndTheConnectionIsGivenUp() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch broken = new CountDownLatch(1);
        try (Endpoint endpoint = new Endpoint(exchange -> {
            release.await();
            try {
                exchange.sendResponseHeaders(200, 0);
                for (int i = 0; i < 10_000; i++) {
                    exchange.getResponseBody().write(new byte[10_000]);
                }
            } catch (IOException e) {
                broken.countDown();
            }
        })) {
            assertThat(failureOf(endpoint, Duration.ofMillis(200)))
                    .isInstanceOf(HttpHandlerException.class)
                    .hasMessageContaining("not answered within 200 ms");
            release.countDown();
            assertThat(broken.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void bodyThatNeverEndsIsATimeoutToo() {
        CountDownLatch release = new CountDownLatch(1);
        try (Endpoint endpoint = new Endpoint(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
            release.await();
        })) {
            assertThat(failureOf(endpoint, Duration.ofMillis(300))).hasMessageContaining("not answered within 300 ms");
            release.countDown();
        }
    }

    @Test
    void refusedConnectionIsTriedAgain() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (HttpHandler handler = new HttpHandler(URI.create("http://127.0.0.1:" + port + "/"), PATIENT, RECORD_KEY)) {
            assertThat(failureOf(handler, FakeDelivery.of("c-1", "deposit", 1)))
                    .isInstanceOf(HttpHandlerException.class)
                    .hasMessageContaining("was not answered: java.net.ConnectException");
        }
    }

    @Test
    void connectionThatBreaksIsTriedAgain() {
        try (Endpoint endpoint = new Endpoint(exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.close();
        })) {
            assertThat(failureOf(endpoint)).isInstanceOf(HttpHandlerException.class);
        }
    }

    /** If one call waited for its answer, the last of them could not be asked while none is answered. */
    @Test
    void handlingNeverBlocksTheCaller() throws InterruptedException {
        int jobs = 50;
        CountDownLatch asked = new CountDownLatch(jobs);
        CountDownLatch release = new CountDownLatch(1);
        try (Endpoint endpoint = new Endpoint(exchange -> {
                    asked.countDown();
                    release.await();
                    exchange.sendResponseHeaders(200, -1);
                });
                HttpHandler handler = new HttpHandler(endpoint.url(), PATIENT, RECORD_KEY)) {
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < jobs; i++) {
                answers.add(
                        handler.handle(FakeDelivery.of("c-" + i, "deposit", 1)).toCompletableFuture());
            }
            assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(answers).noneMatch(CompletableFuture::isDone);
            release.countDown();
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        }
    }

    @Test
    void closingCancelsWhatIsOpen() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (Endpoint endpoint = new Endpoint(exchange -> {
            asked.countDown();
            release.await();
        })) {
            CompletableFuture<?> answer;
            try (HttpHandler handler = new HttpHandler(endpoint.url(), PATIENT, RECORD_KEY)) {
                answer = handler.handle(FakeDelivery.of("c-1", "deposit", 1)).toCompletableFuture();
                assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
            }
            assertThatExceptionOfType(CompletionException.class).isThrownBy(answer::join);
            release.countDown();
        }
    }

    private static Duration retryDelay(Endpoint endpoint) {
        Throwable failure = failureOf(endpoint);
        assertThat(failure).isInstanceOf(RetryLaterException.class).hasMessageContaining("status");
        return failure instanceof RetryLaterException later ? later.delay() : Duration.ofDays(99);
    }

    private static @Nullable Throwable failureOf(Endpoint endpoint) {
        return failureOf(endpoint, PATIENT);
    }

    private static @Nullable Throwable failureOf(Endpoint endpoint, Duration timeout) {
        try (HttpHandler handler = new HttpHandler(endpoint.url(), timeout, RECORD_KEY)) {
            return failureOf(handler, FakeDelivery.of("c-1", "deposit", 1));
        }
    }

    private static @Nullable Throwable failureOf(Endpoint endpoint, LaneKey laneKey, FakeDelivery delivery) {
        try (HttpHandler handler = new HttpHandler(endpoint.url(), PATIENT, laneKey)) {
            return failureOf(handler, delivery);
        }
    }

    private static @Nullable Throwable failureOf(HttpHandler handler, FakeDelivery delivery) {
        try {
            handler.handle(delivery).toCompletableFuture().join();
            return null;
        } catch (CompletionException e) {
            return e.getCause();
        }
    }
}
