package dev.lanekeeper.benchmarks.peers.contenders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Kafka Streams with one {@code process()} that keeps no state. */
final class StreamsProcess implements Peer {
    private @Nullable KafkaStreams streams;

    @Override
    public void start(Race race) {
        StreamsBuilder topology = new StreamsBuilder();
        topology.stream(race.topic(), Consumed.with(Serdes.String(), Serdes.ByteArray()))
                .process(() -> new Step(race.work()));
        streams = new KafkaStreams(topology.build(), settings(race));
        streams.start();
    }

    private static Properties settings(Race race) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", race.bootstrap());
        settings.put("application.id", race.group());
        settings.put("num.stream.threads", Math.min(race.concurrency(), race.partitions()));
        settings.put("auto.offset.reset", "earliest");
        settings.put("main.consumer.session.timeout.ms", "6000");
        settings.put("main.consumer.heartbeat.interval.ms", "2000");
        try {
            settings.put("state.dir", Files.createTempDirectory("peers-streams").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return settings;
    }

    @Override
    public void close() {
        if (streams != null) {
            streams.close(Duration.ofSeconds(20));
        }
    }

    private record Step(Race.Work work) implements Processor<String, byte[], Void, Void> {
        @Override
        public void process(Record<String, byte[]> record) {
            work.handle(record.value());
        }
    }
}
