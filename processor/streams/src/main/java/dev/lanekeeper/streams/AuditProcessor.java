package dev.lanekeeper.streams;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lanekeeper.message.InvalidMessageException;
import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.streams.Finding.Kind;
import dev.lanekeeper.streams.Unmatched.Half;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * One task of the audit: sees both topics of one partition, matches them by origin, and hands each outcome to the checks.
 * Confined to its stream thread; built by {@link AuditTopology}.
 */
@SuppressWarnings("NullAway.Init") // what init() sets is there before the first record
final class AuditProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
    static final String UNMATCHED = "audit-unmatched";
    static final String PAGES = "audit-pages";
    static final String STRAYS = "audit-strays";
    static final String CURSORS = "audit-cursors";
    static final String TRAILS = "audit-trails";
    static final String TALLY = "audit-tally";
    static final Duration PUBLISH_INTERVAL = Duration.ofMillis(100);
    private static final Bytes TALLY_KEY = Bytes.wrap(new byte[] {0});

    private final AuditSettings settings;
    private final Map<Integer, Long> sentFrom;
    private final Ledger ledger;
    private final MessageCodec codec;
    private final JsonMapper mapper;
    private final Map<TopicPartition, Long> nextOffsets = new HashMap<>();
    private int task;
    private Unmatched unmatched;
    private OutcomeChecks checks;
    private KeyValueStore<Bytes, byte[]> trails;
    private KeyValueStore<Bytes, byte[]> tallies;
    private Tally tally;

    AuditProcessor(
            AuditSettings settings, Map<Integer, Long> sentFrom, Ledger ledger, MessageCodec codec, JsonMapper mapper) {
        this.settings = settings;
        this.sentFrom = sentFrom;
        this.ledger = ledger;
        this.codec = codec;
        this.mapper = mapper;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        super.init(context);
        task = context.taskId().partition();
        unmatched = new Unmatched(context.getStateStore(UNMATCHED));
        trails = context.getStateStore(TRAILS);
        tallies = context.getStateStore(TALLY);
        byte[] stored = tallies.get(TALLY_KEY);
        tally = stored == null ? new Tally() : Tally.of(stored);
        History history = new History(context.getStateStore(PAGES), context.getStateStore(STRAYS));
        checks = new OutcomeChecks(history, context.getStateStore(CURSORS), trails, settings.clockTolerance(), tally);
        ledger.opened(task);
        context.schedule(PUBLISH_INTERVAL, PunctuationType.WALL_CLOCK_TIME, this::publish);
        if (settings.grace() != null) {
            Duration grace = settings.grace();
            context.schedule(
                    Duration.ofMillis(Math.max(100, grace.toMillis() / 2)),
                    PunctuationType.WALL_CLOCK_TIME,
                    nowMs -> decide(nowMs - grace.toMillis()));
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata =
                context().recordMetadata().orElseThrow(() -> new IllegalStateException("a record from no topic"));
        Origin at = new Origin(metadata.topic(), metadata.partition(), metadata.offset());
        Customer customer = Customer.of(record.key());
        if (at.topic().equals(settings.sentTopic())) {
            sent(customer, at);
        } else {
            outcome(customer, at, record.value());
        }
        nextOffsets.put(new TopicPartition(at.topic(), at.partition()), at.offset() + 1);
        if (settings.stores() == AuditSettings.Stores.PERSISTENT) {
            tallies.put(TALLY_KEY, tally.bytes());
        }
    }

    private void sent(Customer customer, Origin origin) {
        tally.count(Tally.Item.SENT);
        meetCustomer(customer);
        match(new Half(customer, origin, null, context().currentSystemTimeMs(), false));
    }

    private void outcome(Customer customer, Origin at, byte @Nullable [] value) {
        Outcome outcome;
        try {
            outcome = codec.outcome(value == null ? new byte[0] : value);
        } catch (InvalidMessageException e) {
            tally.count(Kind.UNDECODABLE);
            report(customer, undecodable(customer, at, String.valueOf(e.getMessage())));
            return;
        }
        meetCustomer(customer);
        OutcomeChecks.Verdict verdict = checks.check(customer, outcome);
        for (Finding finding : verdict.findings()) {
            tally.count(finding.kind());
            report(customer, finding);
        }
        if (verdict.first()) {
            count(outcome);
            matchOutcome(customer, outcome);
        }
    }

    private void count(Outcome outcome) {
        if (!outcome.topic().equals(settings.sentTopic())) {
            tally.count(Tally.Item.ELSEWHERE);
            return;
        }
        tally.count(
                switch (outcome.status()) {
                    case DONE -> Tally.Item.DONE;
                    case FAILED -> Tally.Item.FAILED;
                    case SKIPPED -> Tally.Item.SKIPPED;
                });
    }

    private void matchOutcome(Customer customer, Outcome outcome) {
        // nobody can say any more whether a record from before the oldest that is kept was sent
        boolean kept = outcome.offset() >= sentFrom.getOrDefault(outcome.partition(), 0L);
        if (kept && outcome.topic().equals(settings.sentTopic())) {
            match(new Half(
                    customer,
                    new Origin(outcome.topic(), outcome.partition(), outcome.offset()),
                    new Run(outcome.instance(), outcome.epoch()),
                    context().currentSystemTimeMs(),
                    false));
        }
    }

    private void match(Half half) {
        Half other = unmatched.meet(half);
        if (other != null) {
            tally.count(Tally.Item.COMPARISONS);
            if (other.reported()) {
                ledger.withdraw(other.kind(), other.origin());
            }
        }
    }

    private void meetCustomer(Customer customer) {
        if (customer.isNamed() && trails.putIfAbsent(customer.storeKey(), Trail.EMPTY.bytes()) == null) {
            tally.count(Tally.Item.CUSTOMERS);
        }
    }

    private void publish(long nowMs) {
        if (ledger.mustSettle(task)) {
            decide(nowMs);
            ledger.publish(task, tally, nextOffsets);
            ledger.settled(task);
        } else {
            ledger.publish(task, tally, nextOffsets);
        }
    }

    /** Calls what has waited since {@code latestMs} or longer lost or unknown; counted anew, for some may have been met. */
    private void decide(long latestMs) {
        long lost = 0;
        long unknown = 0;
        for (Half half : unmatched.overdue(latestMs)) {
            if (half.kind() == Kind.LOSS) {
                lost++;
            } else {
                unknown++;
            }
            if (!half.reported()) {
                report(half.customer(), half.finding());
            }
        }
        tally.set(Kind.LOSS, lost);
        tally.set(Kind.UNKNOWN, unknown);
    }

    private void report(Customer customer, Finding finding) {
        ledger.add(finding);
        if (settings.findingsTopic() != null) {
            context()
                    .forward(new Record<>(
                            customer.recordKey(),
                            finding.json(mapper),
                            context().currentSystemTimeMs()));
        }
    }

    private static Finding undecodable(Customer customer, Origin at, String reason) {
        return new Finding(
                Kind.UNDECODABLE, customer.text(), at.topic(), at.partition(), at.offset(), null, null, reason);
    }
}
