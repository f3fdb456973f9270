package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** PC#304, PC#550, edge cases 1 and 6: a record that can't be read is set aside; the loop and the customer go on. */
@Timeout(60)
class BadRecordTest {
    private static final Deserializer<String> BREAKS = (topic, data) -> {
        String text = new String(data, UTF_8);
        switch (text) {
            case "exception" -> throw new SerializationException("not JSON: " + text);
            case "error" -> throw new NoClassDefFoundError("planned");
            case "deep" -> throw new StackOverflowError();
            default -> {
                return text;
            }
        }
    };

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    @Test
    void anUndecodableValueIsDeadLetteredAndTheCustomersOthersFlowInOrder() {
        LaneKeeper<String, String> keeper = rig.start(settings ->
                settings.deserializers(new StringDeserializer(), BREAKS).asyncHandler(rig.puppet.async()));
        rig.send("a=first", "a=exception", "a=error", "a=deep", "a=last");
        rig.puppet.run("first");
        rig.awaitPasses(2);
        assertThat(rig.sent("dead")).isEmpty(); // in its lane, after its predecessor
        rig.puppet.run("first").finish();
        rig.puppet.run("last").finish();
        rig.awaitCommitted(5);

        assertThat(rig.sent("dead")).containsExactly("exception", "error", "deep");
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.stage", "decode")
                .containsEntry("lanekeeper.error.message", "not JSON: exception")
                .containsEntry("lanekeeper.attempts", "0")
                .containsEntry("lanekeeper.origin.offset", "1")
                .containsEntry("original", "kept");
        assertThat(rig.deadLetter(1)).containsEntry("lanekeeper.error.class", "java.lang.NoClassDefFoundError");
        assertThat(rig.deadLetter(2)).containsEntry("lanekeeper.error.class", "java.lang.StackOverflowError");
        assertThat(keeper.view().dead()).isEqualTo(3);
        assertThat(keeper.view().completed()).isEqualTo(5);
        assertThat(rig.puppet.values()).containsExactly("first", "last");
    }

    @Test
    void anUndecodableKeyIsDeadLettered() {
        rig.start(settings ->
                settings.deserializers(BREAKS, new StringDeserializer()).asyncHandler(rig.puppet.async()));
        rig.send("exception=0", "a=1");
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.stage", "decode");
    }

    /** Null keys of many customers are never one lane: each goes its own way, and none waits for another. */
    @Test
    void aNullKeyIsDeadLetteredByDefault() {
        rig.startAsync();
        rig.consumer.append(EngineRig.P0, null, "no key");
        rig.consumer.append(EngineRig.P0, null, null);
        rig.send("a=1");
        rig.puppet.run("1").finish();
        rig.awaitCommitted(3);
        assertThat(rig.sent("dead")).containsExactlyInAnyOrder("no key", "null");
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.stage", "decode")
                .containsEntry("lanekeeper.error.message", "the record has no lane key; its record key is null");
        assertThat(rig.records("dead")).allMatch(letter -> letter.key() == null);
    }

    @Test
    void recordsWithoutAKeyDoNotWaitForEachOther() {
        EngineRig silent = EngineRig.silent();
        try {
            silent.startAsync();
            silent.consumer.append(EngineRig.P0, null, "one");
            silent.consumer.append(EngineRig.P0, null, "two");
            await().until(() -> silent.records("dead").size() == 2); // though none is acknowledged
        } finally {
            silent.close();
        }
    }

    @Test
    void aNullKeyIsFineWithALaneKeyOfTheUsers() {
        rig.start(settings -> settings.asyncHandler(rig.puppet.async()).laneKey(record -> record.value()));
        rig.consumer.append(EngineRig.P0, null, "x");
        assertThat(rig.puppet.run("x").delivery().key()).isNull();
        rig.puppet.run("x").finish();
        rig.awaitCommitted(1);
    }

    @Test
    void aLaneKeyThatThrowsOrIsMissingDeadLettersItsRecordOnly() {
        rig.start(settings -> settings.asyncHandler(rig.puppet.async()).laneKey(record -> {
            byte[] key = record.key();
            switch (new String(key, UTF_8)) {
                case "throws" -> throw new IllegalStateException("no such tenant");
                case "overflows" -> throw new StackOverflowError();
                case "none" -> {
                    return null;
                }
                default -> {
                    return key;
                }
            }
        }));
        rig.send("throws=0", "overflows=1", "none=2", "a=3");
        rig.puppet.run("3").finish();
        rig.awaitCommitted(4);
        assertThat(rig.sent("dead")).containsExactlyInAnyOrder("0", "1", "2");
        for (int i = 0; i < 3; i++) {
            assertThat(rig.deadLetter(i)).containsEntry("lanekeeper.error.stage", "decode");
        }
        assertThat(rig.puppet.values()).containsExactly("3");
    }

    /** Edge case 5: first shortened; and when even that is refused, nothing is skipped. */
    @Test
    void aDeadLetterThatIsTooLargeIsShortened() {
        EngineRig silent = EngineRig.silent();
        try {
            silent.startAsync();
            silent.consumer.append(EngineRig.P0, null, "x".repeat(5_000));
            await().until(() -> silent.records("dead").size() == 1);
            silent.producer().errorNext(new RecordTooLargeException("too large"));
            Map<String, String> shortened = silent.deadLetter(1);
            assertThat(shortened)
                    .containsEntry("lanekeeper.truncated.from-bytes", "5000")
                    .containsEntry("lanekeeper.origin.offset", "0");
            silent.awaitPasses(3);
            assertThat(silent.consumer.committedOffset(EngineRig.P0)).isNotPositive();
            silent.producer().completeNext();
            silent.awaitCommitted(1);
        } finally {
            silent.close();
        }
    }
}
