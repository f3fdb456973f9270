package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.Origin;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Edge case 45: a topic is deleted and made anew under its name, and its group's offsets survive. */
class TopicMadeAnewTest extends MapScene {
    private static final Origin FIRST = new Origin(1, 10, 11);
    private static final Origin SECOND = new Origin(1, 20, 21);
    private static final Origin MIRROR = new Origin(2, 30, 31);

    private final Registry registry;

    TopicMadeAnewTest() {
        super(new Registry());
        registry = (Registry) ids;
    }

    /** Knows the one topic, if anything; answers at once unless told otherwise. */
    private static final class Registry implements TopicIds {
        @Nullable
        Origin topic = FIRST;

        boolean silent;
        final List<CompletableFuture<Map<String, Origin>>> questions = new ArrayList<>();

        @Override
        public CompletableFuture<Map<String, Origin>> of(Set<String> topics) {
            CompletableFuture<Map<String, Origin>> question = new CompletableFuture<>();
            questions.add(question);
            if (!silent) {
                question.complete(answer());
            }
            return question;
        }

        Map<String, Origin> answer() {
            return topic == null ? Map.of() : Map.of("jobs", topic);
        }
    }

    @Test
    void aCommitSaysOfWhichTopicItIs() {
        receive(3);
        finish(0, 1, 2);
        passAndCommit();
        assertThat(committed().offset()).isEqualTo(3);
        assertThat(origin(committed())).isEqualTo(FIRST);
        assertThat(intake.assignments().get(0).mapBytes()).as("no map").isZero();
        comeAgainAfterALoss();
        assertThat(parcels).as("the same topic: its offset is believed").isEmpty();
        assertThat(counters.madeAnewTotal()).isZero();
    }

    /** Nothing of the new topic is passed over, neither by the offset nor by the map; and it is committed for the new one. */
    @Test
    void theOffsetOfAnEarlierTopicIsPassedOver() {
        append(10);
        registry.topic = SECOND;
        begin(new OffsetAndMetadata(4, mapOf("jobs", 0, 4, 9, 4, FIRST)));
        assertThat(parcels).hasSize(10);
        assertThat(parcels.get(0).offset()).isZero();
        assertThat(counters.madeAnewTotal()).isEqualTo(1);
        finish(0, 1);
        passAndCommit();
        assertThat(committed().offset()).isEqualTo(2);
        assertThat(origin(committed())).isEqualTo(SECOND);
        comeAgainAfterALoss();
        assertThat(parcels).hasSize(8);
        assertThat(counters.madeAnewTotal()).as("once").isEqualTo(1);
    }

    @Test
    void theMapOfTheSameTopicIsBelieved() {
        append(10);
        begin(new OffsetAndMetadata(4, mapOf("jobs", 0, 4, 9, 4, FIRST)));
        assertThat(parcels).extracting(Parcel::offset).containsExactly(4L, 9L);
    }

    /** Offsets that were carried to another cluster begin there; what is done ahead was done of other records, perhaps. */
    @Test
    void anOffsetOfAnotherClusterIsBelievedAndItsMapIsNot() {
        append(10);
        begin(new OffsetAndMetadata(4, mapOf("jobs", 0, 4, 9, 4, MIRROR)));
        assertThat(parcels).hasSize(6);
        assertThat(counters.madeAnewTotal()).isZero();
    }

    /** An operator, or a tool, has moved the offset and left the text: the offset is on purpose. */
    @Test
    void anOffsetThatWasMovedSinceIsBelieved() {
        append(10);
        registry.topic = SECOND;
        begin(new OffsetAndMetadata(6, mapOf("jobs", 0, 4, 9, 4, FIRST)));
        assertThat(parcels).hasSize(4);
        assertThat(counters.madeAnewTotal()).isZero();
    }

    /** By hand, by other programs, by earlier versions: nobody knows of which topic that was. */
    @Test
    void anOffsetWithoutATopicIsBelieved() {
        append(10);
        begin(new OffsetAndMetadata(4, mapOf("jobs", 0, 4, 9, 4)));
        assertThat(parcels).extracting(Parcel::offset).containsExactly(4L, 9L);
        consumer.lose(P0);
        intake.runOnce();
        parcels.clear();
        begin(new OffsetAndMetadata(7));
        assertThat(parcels).hasSize(3);
        assertThat(counters.madeAnewTotal()).isZero();
    }

    /** A broker that has no room for it gets commits without it. */
    @Test
    void whereMetadataIsTooSmallForATopicThereIsNone() {
        consumer.inGroup(group -> group.maxCharacters(61));
        receive(3);
        finish(0);
        for (int i = 0; i < 10; i++) {
            passAndCommit();
            intake.runOnce();
        }
        assertThat(committed().offset()).isEqualTo(1);
        assertThat(committed().metadata()).isEmpty();
    }

    /** As without ids: what is committed is believed, and nothing is said of the topic. */
    @Test
    void whereIdsAreNotKnownEverythingIsAsWithoutThem() {
        append(10);
        registry.topic = null;
        begin(new OffsetAndMetadata(4, mapOf("jobs", 0, 4, 9, 4, FIRST)));
        assertThat(parcels).extracting(Parcel::offset).containsExactly(4L, 9L);
        finish(0, 1);
        passAndCommit();
        assertThat(committed().offset()).isEqualTo(10);
        assertThat(committed().metadata()).isEmpty();
    }

    /** What is delivered before it is known which topic it is might be of an earlier one than the commit says. */
    @Test
    void nothingIsDeliveredBeforeTheTopicIsKnown() {
        registry.silent = true;
        append(3);
        consumer.assign(P0);
        passes(3);
        assertThat(parcels).isEmpty();
        assertThat(consumer.paused()).containsExactly(P0);
        registry.questions.get(0).complete(registry.answer());
        passes(2);
        assertThat(parcels).hasSize(3);
        finish(0);
        passAndCommit();
        assertThat(origin(committed())).isEqualTo(FIRST);
    }

    @Test
    void whoNeverAnswersIsNotWaitedForForEver() {
        registry.silent = true;
        append(3);
        consumer.assign(P0);
        passes(2);
        clock.advance(Duration.ofSeconds(10));
        passes(2);
        assertThat(parcels).hasSize(3);
    }

    @Test
    void aQuestionThatFailsIsAnsweredByNothing() {
        registry.silent = true;
        append(3);
        consumer.assign(P0);
        passes(2);
        registry.questions.get(0).completeExceptionally(new IllegalStateException("planned"));
        passes(2);
        assertThat(parcels).hasSize(3);
    }

    /** Neither the group nor the consumer need notice: it is seen all the same, and the new one read from its beginning. */
    @Test
    void aTopicThatIsMadeAnewWhileItIsConsumedIsSeen() {
        receive(5);
        finish(0, 1, 2);
        parcels.get(3).running = true;
        passAndCommit();
        registry.topic = SECOND;
        clock.advance(Duration.ofSeconds(10));
        passes(3);
        assertThat(counters.madeAnewTotal()).isEqualTo(1);
        assertThat(parcels).hasSize(10);
        assertThat(parcels.get(5).offset()).isZero();
        finish(3); // of the old one
        intake.runOnce();
        assertThat(counters.staleTotal()).isEqualTo(1);
        finish(5, 6);
        passAndCommit();
        assertThat(committed().offset()).isEqualTo(2);
        assertThat(origin(committed())).isEqualTo(SECOND);
        clock.advance(Duration.ofSeconds(10));
        passes(3);
        assertThat(counters.madeAnewTotal()).as("once").isEqualTo(1);
    }

    /** Offsets that go back may have that reason: it is looked at once. */
    @Test
    void offsetsThatGoBackHaveTheTopicLookedAt() {
        receive(5);
        int asked = registry.questions.size();
        consumer.goTo(P0, 0);
        intake.runOnce();
        passes(2);
        assertThat(registry.questions).hasSize(asked + 1);
    }

    @Test
    void theTopicIsLookedAtNowAndThenAndNotInEachPass() {
        receive(5);
        int asked = registry.questions.size();
        clock.advance(Duration.ofSeconds(10));
        passes(6);
        assertThat(registry.questions).hasSize(asked + 1);
    }

    /** The question was asked before it was lost and came back: the answer may be older than what it is held against. */
    @Test
    void anAnswerAboutAnEarlierAssignmentIsNone() {
        receive(5);
        registry.silent = true;
        clock.advance(Duration.ofSeconds(10));
        passes(1);
        consumer.lose(P0);
        intake.runOnce();
        registry.silent = false;
        consumer.assign(P0);
        intake.runOnce();
        registry.questions.get(1).complete(Map.of("jobs", SECOND));
        passes(3);
        assertThat(counters.madeAnewTotal()).isZero();
    }

    /** A hold is not broken by it. */
    @Test
    void whatIsHeldStaysHeld() {
        receive(5);
        intake.hold(true);
        intake.runOnce();
        registry.topic = SECOND;
        clock.advance(Duration.ofSeconds(10));
        passes(3);
        assertThat(counters.madeAnewTotal()).isEqualTo(1);
        assertThat(consumer.paused()).containsExactly(P0);
        intake.hold(false);
        passes(2);
        assertThat(parcels).hasSize(10);
    }

    private void comeAgainAfterALoss() {
        consumer.lose(P0);
        comeAgain();
    }

    private static @Nullable Origin origin(OffsetAndMetadata committed) {
        try {
            AheadMapCodec.Note note = new AheadMapCodec("jobs", 0).note(committed.metadata(), committed.offset());
            AheadMap map = note.map();
            assertThat(map == null || !map.isEmpty()).isTrue();
            return note.origin();
        } catch (UnreadableMapException e) {
            throw new AssertionError(e);
        }
    }
}
