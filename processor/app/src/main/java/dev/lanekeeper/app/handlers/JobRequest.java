package dev.lanekeeper.app.handlers;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.message.Job;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Makes the request for one attempt at a job. Immutable. */
final class JobRequest {
    private static final List<String> TRACE_HEADERS = List.of("traceparent", "tracestate");

    private final URI url;
    private final LaneKey laneKey;

    JobRequest(URI url, LaneKey laneKey) {
        this.url = url;
        this.laneKey = laneKey;
    }

    HttpRequest of(Delivery<String, Job> delivery) {
        ConsumerRecord<byte[], byte[]> record = delivery.record();
        Job job = Objects.requireNonNull(delivery.value(), "job");
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .POST(HttpRequest.BodyPublishers.ofByteArray(record.value()))
                .header("Content-Type", "application/json")
                .header("Lanekeeper-Topic", record.topic())
                .header("Lanekeeper-Partition", String.valueOf(record.partition()))
                .header("Lanekeeper-Offset", String.valueOf(record.offset()))
                .header("Lanekeeper-Attempt", String.valueOf(delivery.attempt()))
                .header("Lanekeeper-Kind", encoded(job.kind()))
                .header("Idempotency-Key", record.topic() + "-" + record.partition() + "-" + record.offset());
        String customer = laneKey.text(record);
        if (customer != null) {
            request.header("Lanekeeper-Customer", encoded(customer));
        }
        for (String name : TRACE_HEADERS) {
            String value = plainText(record.headers().lastHeader(name));
            if (value != null) {
                request.header(name, value);
            }
        }
        return request.build();
    }

    /**
     * {@code text} for a header: what is not printable ASCII, and space, comma and percent, as percent and two hex
     * digits for each byte of UTF-8. Usual ids stay as they are, and any id can be read back.
     */
    static String encoded(String text) {
        StringBuilder header = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f && b != '%' && b != ',') {
                header.append((char) b);
            } else {
                header.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return header.toString();
    }

    /** The header's text; {@code null} if there is none, or it holds what an HTTP header must not. */
    private static @Nullable String plainText(@Nullable Header header) {
        if (header == null || header.value() == null) {
            return null;
        }
        String text = new String(header.value(), StandardCharsets.US_ASCII);
        return text.chars().allMatch(c -> c >= ' ' && c < 0x7f) ? text : null;
    }
}
