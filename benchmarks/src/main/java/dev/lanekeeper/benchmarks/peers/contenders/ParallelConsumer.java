package dev.lanekeeper.benchmarks.peers.contenders;

import io.confluent.parallelconsumer.ParallelConsumerOptions;
import io.confluent.parallelconsumer.ParallelStreamProcessor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Confluent Parallel Consumer, ordered by key, with its own threads. */
final class ParallelConsumer implements Peer {
    private @Nullable ParallelStreamProcessor<String, byte[]> processor;

    @Override
    public void start(Race race) {
        ParallelConsumerOptions<String, byte[]> options = ParallelConsumerOptions.<String, byte[]>builder()
                .consumer(new KafkaConsumer<>(
                        new HashMap<>(race.consumer()), new StringDeserializer(), new ByteArrayDeserializer()))
                .ordering(ParallelConsumerOptions.ProcessingOrder.KEY)
                .commitMode(ParallelConsumerOptions.CommitMode.PERIODIC_CONSUMER_ASYNCHRONOUS)
                .maxConcurrency(race.concurrency())
                .build();
        processor = ParallelStreamProcessor.createEosStreamProcessor(options);
        processor.subscribe(List.of(race.topic()));
        processor.poll(
                polled -> race.work().handle(polled.getSingleConsumerRecord().value()));
    }

    @Override
    public void close() {
        if (processor != null) {
            processor.closeDrainFirst(Duration.ofSeconds(20));
        }
    }
}
