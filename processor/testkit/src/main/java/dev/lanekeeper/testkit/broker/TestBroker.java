package dev.lanekeeper.testkit.broker;

/** A Kafka that tests may use, wherever it runs. */
interface TestBroker extends AutoCloseable {
    String bootstrapServers();

    /** What it is, in a few words for the log. */
    String description();

    /** Stops it, if it was started for the tests. */
    @Override
    void close();

    /** One that was there before the tests and stays after them. */
    record Outside(String bootstrapServers) implements TestBroker {
        @Override
        public String description() {
            return "the one that -D" + BrokerChoice.SERVERS_PROPERTY + " names";
        }

        @Override
        public void close() {
            // not ours to stop
        }
    }

    /** One in this JVM. */
    record Embedded(EmbeddedKafka kafka) implements TestBroker {
        @Override
        public String bootstrapServers() {
            return kafka.bootstrapServers();
        }

        @Override
        public String description() {
            return "embedded in this JVM";
        }

        @Override
        public void close() {
            kafka.close();
        }
    }
}
