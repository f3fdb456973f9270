package dev.lanekeeper.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.message.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoHandlerTest {
    private final DemoHandler handler = new DemoHandler();

    @Test
    void aJobTakesAboutAsLongAsItIsTold() throws Exception {
        handler.configure(Map.of(DemoHandler.WORK_MS, "40"));
        long begin = System.nanoTime();
        handler.handle(delivery("deposit"));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
    }

    @Test
    void poisonIsRefusedForGood() {
        assertThatThrownBy(() -> handler.handle(delivery("poison")))
                .isInstanceOf(TerminalException.class)
                .hasMessage("jobs of kind poison are refused: j-1");
    }

    @Test
    @Timeout(20)
    void anInterruptEndsTheWork() {
        handler.configure(Map.of(DemoHandler.WORK_MS, "60000"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> handler.handle(delivery("deposit"))).isInstanceOf(InterruptedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-1", "NaN", "60001", ""})
    void aWrongTimeIsNamed(String workMs) {
        assertThatThrownBy(() -> handler.configure(Map.of(DemoHandler.WORK_MS, workMs)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("handler.demo.work.ms is " + workMs + "; allowed: a number from 0 to 60000.0");
    }

    private static Delivery<String, Job> delivery(String kind) {
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        Job job = new Job("j-1", "c-1", kind, now, null, JsonNodeFactory.instance.objectNode(), Map.of());
        return new Given(job, now);
    }

    private record Given(Job job, Instant startedAt) implements Delivery<String, Job> {
        @Override
        public ConsumerRecord<byte[], byte[]> record() {
            return new ConsumerRecord<>("customer-jobs", 0, 0, new byte[0], new byte[0]);
        }

        @Override
        public String key() {
            return job.customerId();
        }

        @Override
        public Job value() {
            return job;
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public int epoch() {
            return 1;
        }

        @Override
        public void emit(ProducerRecord<byte[], byte[]> output) {
            throw new UnsupportedOperationException("the demo handler has nothing to send");
        }
    }
}
