package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.RateLimit;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.intake.Completions;
import dev.lanekeeper.engine.intake.Intake;
import dev.lanekeeper.engine.intake.IntakeCounters;
import dev.lanekeeper.engine.intake.IntakeSettings;
import dev.lanekeeper.engine.intake.Routed;
import dev.lanekeeper.engine.intake.Router;
import dev.lanekeeper.engine.intake.TopicIds;
import dev.lanekeeper.engine.result.DeadLetters;
import dev.lanekeeper.engine.result.Publisher;
import dev.lanekeeper.lanes.Lanes;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A partition is taken away while its records wait in a lane, and a worker comes by between one drop and the next. */
class DropOrderTest {
    private static final TopicPartition P0 = new TopicPartition("jobs", 0);

    private final SteppingExecutor workers = new SteppingExecutor();
    private final List<String> handled = new ArrayList<>();
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final Completions completions = new Completions();
    private final Walk<String, String> walk = walk();
    private final Intake intake = new Intake(
            consumer,
            new Interrupting(),
            completions,
            new IntakeSettings(100, 10_000, 100, Duration.ofSeconds(1), Duration.ofSeconds(1)),
            new IntakeCounters(),
            System::nanoTime,
            TopicIds.UNKNOWN,
            null);

    @Test
    void whatIsBehindADroppedRecordOfItsLaneDoesNotStart() {
        consumer.subscribe(List.of("jobs"), intake.rebalanceListener());
        consumer.updateBeginningOffsets(Map.of(P0, 0L));
        consumer.rebalance(List.of(P0));
        for (int offset = 0; offset < 3; offset++) {
            consumer.addRecord(
                    new ConsumerRecord<>("jobs", 0, offset, "a".getBytes(UTF_8), ("" + offset).getBytes(UTF_8)));
        }
        intake.runOnce();
        assertThat(workers.queued()).as("the lane waits for a worker").isEqualTo(1);

        consumer.rebalance(List.of());
        workers.runAll();
        assertThat(handled).isEmpty();
    }

    /** Whoever leaves the group waits for what foreign code is at work on, from before it is called. */
    @Test
    void whatABatchGaveBackOnItsWayOutIsAtWorkWhenItIsStartedAgain() {
        consumer.subscribe(List.of("jobs"), intake.rebalanceListener());
        consumer.updateBeginningOffsets(Map.of(P0, 0L));
        consumer.rebalance(List.of(P0));
        BatchTicket<String, String> ticket = new BatchTicket<>(
                walk,
                new ConsumerRecord<>("jobs", 0, 0, new byte[0], new byte[0]),
                intake.assignments().get(0),
                0,
                Bytes.wrap(new byte[0]),
                new Walk.Batched<>(batch -> {}, BatchLimit.records(2)));
        assertThat(ticket.claim()).isTrue();
        ticket.does(LaneHead.Doing.PUBLISHING);
        assertThat(ticket.atWork()).isFalse();
        ticket.giveBack();
        assertThat(ticket.claim()).isTrue();
        assertThat(ticket.atWork()).isTrue();
    }

    private RecordTicket<String, String> ticket(
            ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence) {
        return new RecordTicket<>(walk, record, assignment, sequence, Bytes.wrap(record.key()), null);
    }

    private Walk<String, String> walk() {
        InstantSource clock = InstantSource.system();
        Timer timer = ScheduledTimer.start("drop-order");
        return new Walk<>(
                Lanes.<Bytes>builder().executor(workers).build(),
                new StringDeserializer(),
                new StringDeserializer(),
                new Walk.Blocking<>(delivery -> handled.add(String.valueOf(delivery.value()))),
                new Surroundings(List.of()),
                0,
                new Pace(RateLimit.UNLIMITED, RateLimit.UNLIMITED, System::nanoTime, timer),
                null,
                null,
                new Judge(new RetryPolicy(1, Duration.ZERO, Duration.ZERO, 0), FailurePolicy.DEFAULT, new Random(1)),
                workers,
                timer,
                null,
                new DeadLetters("dead", clock),
                new Publisher(
                        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()),
                        workers,
                        workers,
                        fatal -> {}),
                new HashSet<>(),
                new Stops(),
                null,
                completions,
                clock,
                new Walk.Counters(System::nanoTime),
                fatal -> {});
    }

    private final class Interrupting implements Router {
        @Override
        public Routed route(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence) {
            return new Interrupted(ticket(record, assignment, sequence));
        }

        @Override
        public void dispatched() {
            walk.lanes().arrivals().start();
        }
    }

    /** The workers run whatever they can as soon as this record is dropped. */
    private final class Interrupted implements Routed {
        private final RecordTicket<String, String> ticket;

        Interrupted(RecordTicket<String, String> ticket) {
            this.ticket = ticket;
        }

        @Override
        public boolean drop() {
            boolean dropped = ticket.drop();
            workers.runAll();
            return dropped;
        }

        @Override
        public Assignment assignment() {
            return ticket.assignment();
        }

        @Override
        public long sequence() {
            return ticket.sequence();
        }

        @Override
        public int sizeBytes() {
            return ticket.sizeBytes();
        }

        @Override
        public void dispatch() {
            ticket.dispatch();
        }

        @Override
        public boolean durable() {
            return ticket.durable();
        }

        @Override
        public void nextCompleted(@Nullable Routed next) {
            ticket.nextCompleted(next);
        }

        @Override
        public @Nullable Routed nextCompleted() {
            return ticket.nextCompleted();
        }
    }
}
