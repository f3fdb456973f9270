package dev.lanekeeper.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lanekeeper.simulator.progress.Progress;
import dev.lanekeeper.simulator.workload.SimulatedRecord;
import dev.lanekeeper.simulator.workload.Workload;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SimulatorTest {
    private final Progress silent = Progress.start(
            "sending", 1, new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8), 0);

    @Test
    void sendsTheWorkloadInItsOrder() throws Exception {
        Workload workload = workload(500);
        ScriptedProducer producer = new ScriptedProducer();
        SentReport report = simulator(producer, OptionalDouble.empty()).run(workload, silent);

        List<String> expected = new ArrayList<>();
        for (SimulatedRecord each : workload) {
            expected.add(each.customerId() + " " + new String(each.value(), StandardCharsets.UTF_8));
        }
        assertThat(producer.history())
                .extracting(r -> new String(r.key(), StandardCharsets.UTF_8) + " "
                        + new String(r.value(), StandardCharsets.UTF_8))
                .isEqualTo(expected);
        assertThat(report.total()).isEqualTo(500);
        assertThat(report.stoppedEarly()).isFalse();
        assertThat(report.seed()).isEqualTo(42);
    }

    @Test
    void oneFailedRecordFailsTheRunAndIsNamed() {
        ScriptedProducer producer = new ScriptedProducer();
        producer.failAt = 7;
        assertThatThrownBy(() -> simulator(producer, OptionalDouble.empty()).run(workload(500), silent))
                .isInstanceOf(SendFailedException.class)
                .hasMessageContaining("1 of 7 records")
                .hasMessageContaining("topic customer-jobs")
                .hasMessageContaining("number 7")
                .hasMessageContaining("too big, as scripted");
        assertThat(producer.history()).as("it stops").hasSize(6);
    }

    @Test
    void aRecordNobodyAnsweredForFailsTheRun() {
        ScriptedProducer producer = new ScriptedProducer();
        producer.forgetAt = 3;
        assertThatThrownBy(() -> simulator(producer, OptionalDouble.empty()).run(workload(10), silent))
                .isInstanceOf(SendFailedException.class)
                .hasMessageContaining("1 of 10 records")
                .hasMessageContaining("not acknowledged");
    }

    @Test
    void anInterruptEndsTheRunEarlyAndAccountsForWhatWasSent() throws Exception {
        ScriptedProducer producer = new ScriptedProducer();
        producer.interruptAt = 5;
        SentReport report = simulator(producer, OptionalDouble.empty()).run(workload(500), silent);
        assertThat(Thread.interrupted()).as("the flag is given back").isTrue();
        assertThat(report.stoppedEarly()).isTrue();
        assertThat(report.total()).isEqualTo(5).isEqualTo(producer.history().size());
    }

    @Test
    @Timeout(20)
    void anInterruptEndsTheWaitForTheNextTurn() throws Exception {
        CountDownLatch firstIsSent = new CountDownLatch(1);
        ScriptedProducer producer = new ScriptedProducer();
        producer.firstIsSent = firstIsSent;
        FutureTask<SentReport> run = new FutureTask<>(
                () -> simulator(producer, OptionalDouble.of(0.001)).run(workload(500), silent));
        Thread sender = new Thread(run, "sender");
        sender.start();
        firstIsSent.await();
        await().until(() -> sender.getState() == Thread.State.TIMED_WAITING);
        sender.interrupt();
        assertThat(run.get().total()).isEqualTo(1);
        assertThat(run.get().stoppedEarly()).isTrue();
    }

    @Test
    void keepsToTheRate() throws Exception {
        SentReport report =
                simulator(new ScriptedProducer(), OptionalDouble.of(1_000)).run(workload(300), silent);
        assertThat(report.duration().toMillis()).isGreaterThanOrEqualTo(285);
    }

    @Test
    void aRateOfNothingIsRefused() {
        assertThatThrownBy(() -> simulator(new ScriptedProducer(), OptionalDouble.of(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("recordsPerSecond is 0.0: it must be above 0");
    }

    private static Simulator simulator(ScriptedProducer producer, OptionalDouble rate) {
        return new Simulator(producer, "customer-jobs", rate);
    }

    private static Workload workload(long jobs) {
        InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678Z"));
        return new Workload(new WorkloadSettings(jobs, 20, 0, 0.1, 42), clock);
    }

    /** Acknowledges at once, but for what the script says. */
    private static final class ScriptedProducer extends MockProducer<byte[], byte[]> {
        private int sends;
        private int failAt = -1;
        private int forgetAt = -1;
        private int interruptAt = -1;
        private CountDownLatch firstIsSent = new CountDownLatch(1);

        ScriptedProducer() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> sent, @Nullable Callback callback) {
            sends++;
            firstIsSent.countDown();
            if (sends == interruptAt) {
                Thread.currentThread().interrupt();
            }
            if (sends == failAt && callback != null) {
                callback.onCompletion(null, new RecordTooLargeException("too big, as scripted"));
                return new CompletableFuture<>();
            }
            return super.send(sent, sends == forgetAt ? null : callback);
        }
    }
}
