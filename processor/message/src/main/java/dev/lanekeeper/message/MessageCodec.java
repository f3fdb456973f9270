package dev.lanekeeper.message;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes every {@link Message} as JSON. Thread-safe; keep one and share it.
 *
 * <p>What it holds to:
 * <ul>
 *   <li>Bytes that are no valid message throw {@link InvalidMessageException}, and nothing else does.
 *   <li>Fields it does not know, and numbers of any precision, come out as they went in.
 *   <li>A field that is absent is left out, never written as {@code null}.
 * </ul>
 */
public final class MessageCodec {
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /**
     * Reads a job.
     *
     * @throws InvalidMessageException if {@code bytes} are not a valid job
     */
    public Job job(byte[] bytes) {
        return job(read(bytes, Job.TYPE));
    }

    /**
     * Reads a bulk command.
     *
     * @throws InvalidMessageException if {@code bytes} are not a valid bulk command
     */
    public BulkCommand bulkCommand(byte[] bytes) {
        return bulkCommand(read(bytes, BulkCommand.TYPE));
    }

    /**
     * Reads an outcome.
     *
     * @throws InvalidMessageException if {@code bytes} are not a valid outcome
     */
    public Outcome outcome(byte[] bytes) {
        return outcome(read(bytes, Outcome.TYPE));
    }

    /**
     * Reads whatever its {@code type} says it is.
     *
     * @throws InvalidMessageException if {@code bytes} are not a valid message
     */
    public Message message(byte[] bytes) {
        Fields fields = read(bytes, null);
        String type = fields.text("type");
        return switch (type) {
            case Job.TYPE -> job(fields);
            case BulkCommand.TYPE -> bulkCommand(fields);
            case Outcome.TYPE -> outcome(fields);
            default -> throw Check.wrong("type", "\"job\", \"bulk\" or \"outcome\"", '"' + type + '"');
        };
    }

    /** Writes {@code message} as UTF-8 JSON, known fields first and in a fixed order. */
    public byte[] encode(Message message) {
        Objects.requireNonNull(message, "message");
        ObjectNode object = mapper.createObjectNode();
        object.put("type", message.type());
        if (message instanceof Job job) {
            write(job, object);
        } else if (message instanceof BulkCommand bulk) {
            write(bulk, object);
        } else if (message instanceof Outcome outcome) {
            write(outcome, object);
        }
        message.unknown().forEach(object::set);
        try {
            return mapper.writeValueAsBytes(object);
        } catch (JsonProcessingException e) {
            throw new InvalidMessageException("the message cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    private Fields read(byte[] bytes, @Nullable String expectedType) {
        Objects.requireNonNull(bytes, "bytes");
        JsonNode tree;
        try {
            tree = mapper.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw notJson(bytes, e.getOriginalMessage(), e);
        } catch (IOException | IllegalArgumentException | ArithmeticException e) {
            // malformed UTF-8, and numbers no Java number can hold
            throw notJson(bytes, String.valueOf(e.getMessage()), e);
        }
        if (!(tree instanceof ObjectNode object)) {
            throw Check.wrong("a message", "a JSON object", tree.isMissingNode() ? "nothing" : tree.toString());
        }
        Fields fields = new Fields(object);
        if (expectedType != null && !expectedType.equals(fields.text("type"))) {
            throw Check.wrong("type", '"' + expectedType + '"', '"' + fields.text("type") + '"');
        }
        return fields;
    }

    private static InvalidMessageException notJson(byte[] bytes, String reason, Exception cause) {
        String value = new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.UTF_8);
        return new InvalidMessageException(
                "a message must be one JSON object (" + Check.shortened(reason) + "): " + Check.shortened(value),
                cause);
    }

    private static Job job(Fields fields) {
        return new Job(
                fields.text("id"),
                fields.text("customerId"),
                fields.text("kind"),
                fields.instant("submittedAt"),
                fields.optionalNumber("seq"),
                fields.object("payload"),
                fields.except(Job.FIELDS));
    }

    private static BulkCommand bulkCommand(Fields fields) {
        return new BulkCommand(
                fields.text("id"),
                fields.texts("customerIds"),
                fields.text("kind"),
                fields.instant("submittedAt"),
                fields.object("payload"),
                fields.except(BulkCommand.FIELDS));
    }

    private static Outcome outcome(Fields fields) {
        return new Outcome(
                fields.optionalText("jobId"),
                fields.optionalText("customerId"),
                fields.optionalNumber("seq"),
                fields.status("status"),
                fields.smallNumber("attempt"),
                fields.text("instance"),
                fields.smallNumber("epoch"),
                fields.text("topic"),
                fields.smallNumber("partition"),
                fields.number("offset"),
                fields.instant("startedAt"),
                fields.instant("endedAt"),
                fields.flag("bulk"),
                fields.find("result"),
                fields.except(Outcome.FIELDS));
    }

    private static void write(Job job, ObjectNode object) {
        object.put("id", job.id());
        object.put("customerId", job.customerId());
        object.put("kind", job.kind());
        object.put("submittedAt", job.submittedAt().toString());
        if (job.seq() != null) {
            object.put("seq", job.seq());
        }
        object.set("payload", job.payload());
    }

    private static void write(BulkCommand bulk, ObjectNode object) {
        object.put("id", bulk.id());
        bulk.customerIds().forEach(object.putArray("customerIds")::add);
        object.put("kind", bulk.kind());
        object.put("submittedAt", bulk.submittedAt().toString());
        object.set("payload", bulk.payload());
    }

    private static void write(Outcome outcome, ObjectNode object) {
        if (outcome.jobId() != null) {
            object.put("jobId", outcome.jobId());
        }
        if (outcome.customerId() != null) {
            object.put("customerId", outcome.customerId());
        }
        if (outcome.seq() != null) {
            object.put("seq", outcome.seq());
        }
        object.put("status", outcome.status().text());
        object.put("attempt", outcome.attempt());
        object.put("instance", outcome.instance());
        object.put("epoch", outcome.epoch());
        object.put("topic", outcome.topic());
        object.put("partition", outcome.partition());
        object.put("offset", outcome.offset());
        object.put("startedAt", outcome.startedAt().toString());
        object.put("endedAt", outcome.endedAt().toString());
        object.put("bulk", outcome.bulk());
        if (outcome.result() != null) {
            object.set("result", outcome.result());
        }
    }
}
