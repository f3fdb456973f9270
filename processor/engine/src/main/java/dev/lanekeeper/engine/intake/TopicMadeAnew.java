package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.Origin;
import org.apache.kafka.common.Uuid;

/** How it is said that a topic was deleted and made anew under its name. */
final class TopicMadeAnew {
    private TopicMadeAnew() {}

    static String text(Assignment assignment, Origin before, Origin now) {
        return "topic " + assignment.topicPartition().topic() + " was deleted and made anew, its id was " + id(before)
                + " and is " + id(now)
                + ". All of it is delivered, from its beginning; whoever keeps offsets or fencing tokens of"
                + " the old topic needs a new incarnation";
    }

    private static Uuid id(Origin origin) {
        return new Uuid(origin.idHigh(), origin.idLow());
    }
}
