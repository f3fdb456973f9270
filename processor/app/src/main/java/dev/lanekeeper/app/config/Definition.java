package dev.lanekeeper.app.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/** Every key, declared once: name, type, default, what is allowed, and what it does. */
final class Definition {
    private static final String WORK = "What to process";
    private static final String FLOW = "How much at once";
    private static final String FAILURE = "Failures";
    private static final String TOPIC = "Topics";
    private static final String HTTP = "The http handler";

    private final ConfigDef definition = new ConfigDef();

    private Definition() {}

    static ConfigDef create() {
        Definition all = new Definition();
        all.work();
        all.flow();
        all.failure();
        all.topics();
        all.http();
        return all.definition;
    }

    private void work() {
        add(WORK, Keys.GROUP_ID, ConfigDef.Type.STRING, "lanekeeper", Allowed.text(), HIGH, """
                The consumer group. Instances with the same group share the partitions.""");
        add(WORK, Keys.TOPICS, ConfigDef.Type.LIST, "customer-jobs", Allowed.topics(), HIGH, """
                The topics to read jobs from, comma-separated. A customer has one lane over all of them.""");
        add(WORK, Keys.INSTANCE_ID, ConfigDef.Type.STRING, null, Allowed.text(), LOW, """
                What this instance is called in outcomes and logs. Without it: the host's name and a random number.""");
        add(WORK, Keys.LANE_KEY, ConfigDef.Type.STRING, "key", Allowed.laneKey(), MEDIUM, """
                What jobs are ordered by: one lane for each value. With key it is the record key, which must be the \
                job's customerId: a job under another key is dead-lettered, because its order could not be kept. With \
                header:NAME it is the last header of that name, whatever the job's customerId. A record without the \
                lane key is dead-lettered.""");
        add(WORK, Keys.INCARNATION, ConfigDef.Type.INT, 0, Allowed.atLeast(0), LOW, """
                Which life of the stream this is, part of the fencing token of each job. To be raised when offsets begin \
                anew or customers change partition (offsets reset, topic made anew, partitions added), in all instances at \
                once; never lowered.""");
        add(WORK, Keys.HANDLER, ConfigDef.Type.STRING, "http", Allowed.handler(Values.READY_MADE), HIGH, """
                What to do with a job: http posts it to handler.http.url; a class name names a class on the class path \
                that is a Handler<String, Job> or an AsyncHandler<String, Job> and has a public constructor without \
                arguments. If it is a ConfigurableHandler too, it is given the keys that begin with handler.""");
    }

    private void flow() {
        add(FLOW, Keys.CONCURRENCY, ConfigDef.Type.INT, 100, Allowed.atLeast(1), HIGH, """
                Jobs handled at once in this instance, over all partitions. Never two of one lane.""");
        add(FLOW, Keys.RATE_LIMIT, ConfigDef.Type.DOUBLE, 0.0, Allowed.rate(), MEDIUM, """
                Attempts that may begin in a second in this instance, retries too; up to one second's worth at once \
                after a quiet time. 0: no limit.""");
        add(FLOW, Keys.LANE_RATE_LIMIT, ConfigDef.Type.DOUBLE, 0.0, Allowed.rate(), MEDIUM, """
                The same for each customer. A customer that is limited keeps nobody else waiting. 0: no limit.""");
        add(FLOW, Keys.BUFFER_RECORDS, ConfigDef.Type.INT, 10_000, Allowed.atLeast(1), MEDIUM, """
                Records read and not finished, at most; then reading waits.""");
        add(FLOW, Keys.BUFFER_BYTES, ConfigDef.Type.LONG, 64L << 20, Allowed.atLeast(1), MEDIUM, """
                Bytes read and not finished, at most; then reading waits. One larger record is let in alone.""");
        add(FLOW, Keys.COMMIT_INTERVAL_MS, ConfigDef.Type.LONG, 1_000L, Allowed.atLeast(1), LOW, """
                How often offsets are committed. What was finished since the last commit is done again after a crash.""");
        delivery();
        add(FLOW, Keys.DRAIN_TIMEOUT_MS, ConfigDef.Type.LONG, 30_000L, Allowed.atLeast(0), MEDIUM, """
                How long a stop waits for the jobs that are running. What is not finished then is handled again by \
                the next owner.""");
    }

    private void delivery() {
        Allowed allowed = Allowed.oneOf("at-least-once", "exactly-once");
        add(FLOW, Keys.DELIVERY, ConfigDef.Type.STRING, "at-least-once", allowed, MEDIUM, """
                at-least-once: no job is lost; after a crash the last ones may be handled again, in order. exactly-once: \
                what is sent to Kafka for a job (outcome, dead letter, what its handler emits) is committed in one \
                transaction with its offset, so that readers of committed records see it once; what a handler does \
                elsewhere may still happen again. Give each instance a lanekeeper.instance.id that it keeps, and let \
                commits be frequent (lanekeeper.commit.interval.ms of 100, say), since readers wait for them. Customers \
                can't be parked then.""");
    }

    private void failure() {
        add(FAILURE, Keys.RETRY_MAX_ATTEMPTS, ConfigDef.Type.INT, 8, Allowed.atLeast(1), MEDIUM, """
                Attempts at a job in all. Its lane waits meanwhile, other lanes go on.""");
        add(FAILURE, Keys.RETRY_BACKOFF_MS, ConfigDef.Type.LONG, 100L, Allowed.atLeast(0), MEDIUM, """
                The wait after the first failed attempt; doubled after each further one.""");
        add(FAILURE, Keys.RETRY_BACKOFF_MAX_MS, ConfigDef.Type.LONG, 10_000L, Allowed.atLeast(0), MEDIUM, """
                The longest wait between two attempts that doubling comes to.""");
        add(FAILURE, Keys.RETRY_AFTER_MAX_MS, ConfigDef.Type.LONG, 3_600_000L, Allowed.atLeast(0), LOW, """
                The longest wait that the other side may ask for with Retry-After; what asks for more waits so long.""");
        add(FAILURE, Keys.RETRY_JITTER, ConfigDef.Type.DOUBLE, 0.2, Allowed.share(), LOW, """
                The share of each wait that is random, so that many failed jobs do not come back at one moment.""");
        add(
                FAILURE,
                Keys.ON_FAILURE,
                ConfigDef.Type.STRING,
                "skip-to-dead-letters",
                Allowed.oneOf("skip-to-dead-letters", "park-key", "stop-partition"),
                MEDIUM,
                """
                After the last attempt. skip-to-dead-letters: the record goes to the dead letters, the lane goes on. \
                park-key: the record and all later ones of the customer are parked, in order, until they are replayed; \
                keep it while anything is parked. stop-partition: nothing of the partition starts any more until it is \
                resumed or the instance started again. A record that can't be read goes to the dead letters in any case.""");
        add(FAILURE, Keys.HANDLER_TIMEOUT_MS, ConfigDef.Type.LONG, 0L, Allowed.atLeast(0), MEDIUM, """
                How long an attempt may take, from the start of the handler; 0 is without limit. What takes longer is \
                reported once, with its thread's stack.""");
        add(
                FAILURE,
                Keys.HANDLER_TIMEOUT_POLICY,
                ConfigDef.Type.STRING,
                "hold",
                Allowed.oneOf("hold", "fence"),
                LOW,
                """
                What follows beside the report. hold: the lane waits until the attempt ends. fence: an attempt that only \
                waits for its stage has failed; what it still does elsewhere may run beside the next attempt.""");
    }

    private void topics() {
        topic(Keys.TOPIC_OUTCOMES, "job-outcomes", """
                One outcome for each job that ended, done or failed, in the partition of the same number as the job's: it \
                needs at least as many partitions as the topics of jobs.""");
        topic(
                Keys.TOPIC_DEAD_LETTERS,
                "dead-letters",
                "Records that failed for good, unchanged, with headers that say why.");
        topic(
                Keys.TOPIC_PARKED_RECORDS,
                "parked-records",
                "Records of parked customers, until they are replayed; compacted. Add no retention.");
        topic(Keys.TOPIC_BULK_COMMANDS, "bulk-commands", "Commands that concern several customers.");
        topic(
                Keys.TOPIC_LANE_COMMANDS,
                "lane-commands",
                "Jobs with their sequence numbers, and the marks of bulk commands.");
        topic(Keys.TOPIC_CONTROL, "lane-control", "Cluster-wide pauses; compacted.");
        topic(Keys.TOPIC_BULK_STATE, "bulk-state", "How far bulk commands have come; compacted.");
        topic(Keys.TOPIC_FINDINGS, "audit-findings", "What the audit found.");
        add(TOPIC, Keys.TOPIC_PARTITIONS, ConfigDef.Type.INT, 12, Allowed.atLeast(1), MEDIUM, """
                Partitions of the topics that are keyed by customer, when topics create makes them. It bounds the \
                instances that can share the work, not the jobs handled at once.""");
        add(
                TOPIC,
                Keys.TOPIC_REPLICATION_FACTOR,
                ConfigDef.Type.SHORT,
                (short) -1,
                Allowed.replicationFactor(),
                MEDIUM,
                """
                Copies of each topic that topics create makes; -1 leaves it to the broker.""");
    }

    private void http() {
        add(HTTP, Keys.HTTP_URL, ConfigDef.Type.STRING, null, Allowed.httpUrl(), HIGH, """
                Where each job is posted. Needed if lanekeeper.handler is http.""");
        add(HTTP, Keys.HTTP_TIMEOUT_MS, ConfigDef.Type.LONG, 10_000L, Allowed.atLeast(1), MEDIUM, """
                How long an answer may take, from the start of the request; then the attempt has failed.""");
    }

    private void topic(String key, String name, String doc) {
        add(TOPIC, key, ConfigDef.Type.STRING, name, Allowed.topic(), LOW, doc);
    }

    private void add(
            String group,
            String key,
            ConfigDef.Type type,
            @Nullable Object standard,
            Allowed allowed,
            Importance importance,
            String doc) {
        int order = definition.configKeys().size();
        definition.define(key, type, standard, allowed, importance, doc, group, order, Width.NONE, key);
    }
}
