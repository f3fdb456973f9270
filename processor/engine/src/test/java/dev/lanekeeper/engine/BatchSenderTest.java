package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A send may block, and the producer's thread is told what is acknowledged: it must not be the one that sends what comes next. */
@Timeout(60)
class BatchSenderTest {
    private final Set<Thread> senders = ConcurrentHashMap.newKeySet();

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                @Override
                public synchronized Future<RecordMetadata> send(
                        ProducerRecord<byte[], byte[]> output, Callback callback) {
                    senders.add(Thread.currentThread());
                    return super.send(output, callback);
                }
            };

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final BatchPuppet puppet = new BatchPuppet(rig);

    @AfterEach
    void finishAll() {
        puppet.finishAll();
    }

    @Test
    void whatTheNextRecordSendsIsNotSentByTheProducersThread() {
        LaneKeeper<String, String> keeper = rig.start(
                builder -> builder.producer(() -> producer).batchHandler(puppet.handler(), BatchLimit.records(10)));
        puppet.holding(keeper, "a=1", "a=2").finish();
        puppet.run("1", "2").emit().finish();
        for (int sent = 1; sent <= 2; sent++) {
            int records = sent;
            EngineRig.await().until(() -> producer.history().size() == records);
            producer.completeNext(); // this is the producer's thread
        }
        rig.awaitCommitted(3);
        assertThat(senders).isNotEmpty().doesNotContain(Thread.currentThread());
    }
}
