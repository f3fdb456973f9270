package dev.lanekeeper.app.config;

/** The names of the declared keys. Types, defaults and meaning are in the generated page, docs/configuration.md. */
public final class Keys {
    /** Where to find Kafka; the one client setting that must be given. */
    public static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";

    public static final String GROUP_ID = "lanekeeper.group.id";
    public static final String TOPICS = "lanekeeper.topics";
    public static final String INSTANCE_ID = "lanekeeper.instance.id";
    public static final String LANE_KEY = "lanekeeper.lane.key";
    public static final String INCARNATION = "lanekeeper.incarnation";
    public static final String HANDLER = "lanekeeper.handler";
    public static final String CONCURRENCY = "lanekeeper.concurrency";
    public static final String RATE_LIMIT = "lanekeeper.rate.limit";
    public static final String LANE_RATE_LIMIT = "lanekeeper.lane.rate.limit";
    public static final String BUFFER_RECORDS = "lanekeeper.buffer.records";
    public static final String BUFFER_BYTES = "lanekeeper.buffer.bytes";
    public static final String COMMIT_INTERVAL_MS = "lanekeeper.commit.interval.ms";
    public static final String DELIVERY = "lanekeeper.delivery";
    public static final String RETRY_MAX_ATTEMPTS = "lanekeeper.retry.max.attempts";
    public static final String RETRY_BACKOFF_MS = "lanekeeper.retry.backoff.ms";
    public static final String RETRY_BACKOFF_MAX_MS = "lanekeeper.retry.backoff.max.ms";
    public static final String RETRY_JITTER = "lanekeeper.retry.jitter";
    public static final String RETRY_AFTER_MAX_MS = "lanekeeper.retry.after.max.ms";
    public static final String ON_FAILURE = "lanekeeper.on.failure";
    public static final String HANDLER_TIMEOUT_MS = "lanekeeper.handler.timeout.ms";
    public static final String HANDLER_TIMEOUT_POLICY = "lanekeeper.handler.timeout.policy";
    public static final String DRAIN_TIMEOUT_MS = "lanekeeper.drain.timeout.ms";
    public static final String TOPIC_OUTCOMES = "lanekeeper.topic.outcomes";
    public static final String TOPIC_DEAD_LETTERS = "lanekeeper.topic.dead.letters";
    public static final String TOPIC_PARKED_RECORDS = "lanekeeper.topic.parked.records";
    public static final String TOPIC_BULK_COMMANDS = "lanekeeper.topic.bulk.commands";
    public static final String TOPIC_LANE_COMMANDS = "lanekeeper.topic.lane.commands";
    public static final String TOPIC_CONTROL = "lanekeeper.topic.control";
    public static final String TOPIC_BULK_STATE = "lanekeeper.topic.bulk.state";
    public static final String TOPIC_FINDINGS = "lanekeeper.topic.findings";
    public static final String TOPIC_PARTITIONS = "lanekeeper.topic.partitions";
    public static final String TOPIC_REPLICATION_FACTOR = "lanekeeper.topic.replication.factor";
    public static final String HTTP_URL = "handler.http.url";
    public static final String HTTP_TIMEOUT_MS = "handler.http.timeout.ms";

    private Keys() {}
}
