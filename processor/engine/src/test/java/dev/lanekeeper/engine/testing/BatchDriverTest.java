package dev.lanekeeper.engine.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.handler.TerminalException;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** A batch as a whole, then one by one, without an engine; that an engine does the same is shown by its own tests. */
class BatchDriverTest {
    private final List<String> calls = new ArrayList<>();

    private static List<TestDelivery<String, String>> batch(String... values) {
        List<TestDelivery<String, String>> batch = new ArrayList<>();
        for (String value : values) {
            TestDelivery<String, String> delivery = TestDelivery.of("c-1", value);
            batch.add(delivery.at("test", 0, batch.size()));
        }
        return batch;
    }

    /** Emits for each record, then fails if one is bad. */
    private BatchHandler<String, String> failingWith(RuntimeException failure) {
        return batch -> {
            calls.add(batch.stream().map(Delivery::value).toList() + " "
                    + batch.get(0).attempt());
            batch.forEach(delivery -> delivery.emit(new ProducerRecord<>("out", new byte[0])));
            if (batch.stream().anyMatch(delivery -> "bad".equals(delivery.value()))) {
                throw failure;
            }
        };
    }

    @Test
    void aBatchThatIsHandledIsHandledOnce() {
        List<HandlerReport> reports =
                BatchDriver.handler(failingWith(new IllegalStateException())).deliver(batch("1", "2"));
        assertThat(calls).containsExactly("[1, 2] 1");
        assertThat(reports)
                .hasSize(2)
                .allMatch(HandlerReport::done)
                .allMatch(report -> report.outputs().size() == 1);
    }

    @Test
    void afterTheLastAttemptOfTheWholeEachIsTriedAlone() {
        List<HandlerReport> reports = BatchDriver.handler(failingWith(new IllegalStateException()))
                .retry(new RetryPolicy(2, Duration.ofSeconds(1), Duration.ofSeconds(1), 0))
                .failures(FailurePolicy.of(OnFailure.PARK_KEY))
                .deliver(batch("1", "bad"));
        assertThat(calls).containsExactly("[1, bad] 1", "[1, bad] 2", "[1] 3", "[bad] 3", "[bad] 4");
        assertThat(reports.get(0).done()).isTrue();
        assertThat(reports.get(0).attempts()).isEqualTo(3);
        assertThat(reports.get(0).outputs()).hasSize(1);
        assertThat(reports.get(1).then()).isEqualTo(OnFailure.PARK_KEY);
        assertThat(reports.get(1).attempts()).isEqualTo(4);
        assertThat(reports.get(1).waits()).containsExactly(Duration.ofSeconds(1), Duration.ZERO, Duration.ofSeconds(1));
        assertThat(reports.get(1).outputs()).isEmpty();
    }

    @Test
    void whatIsNotTriedAgainIsTriedAloneAtOnce() {
        BatchDriver.handler(failingWith(new TerminalException("planned"))).deliver(batch("bad", "2"));
        assertThat(calls).containsExactly("[bad, 2] 1", "[bad] 2", "[2] 2");
    }

    @Test
    void whatIsHeldIsTriedAgainAsAWhole() {
        UncheckedIOException notYet = new UncheckedIOException(new FileNotFoundException("not there yet"));
        List<HandlerReport> reports = BatchDriver.handler(failingWith(notYet))
                .failures(FailurePolicy.DEFAULT
                        .when(FileNotFoundException.class, FailurePolicy.Verdict.HOLD)
                        .withHoldFor(Duration.ofMillis(150)))
                .retry(new RetryPolicy(1, Duration.ZERO, Duration.ZERO, 0))
                .deliver(batch("1", "bad"));
        assertThat(calls)
                .containsExactly("[1, bad] 1", "[1, bad] 2", "[1, bad] 3", "[1] 4", "[bad] 4", "[bad] 5", "[bad] 6");
        Duration first = Duration.ofMillis(100);
        Duration last = Duration.ofMillis(50);
        assertThat(reports.get(1).waits()).containsExactly(first, last, Duration.ZERO, first, last);
    }

    @Test
    void aBatchOfOneIsTriedAsARecord() {
        BatchDriver.handler(failingWith(new IllegalStateException()))
                .retry(RetryPolicy.never())
                .deliver(batch("bad"));
        assertThat(calls).containsExactly("[bad] 1");
    }

    @Test
    void noRecordsAreNoBatch() {
        assertThatThrownBy(
                        () -> BatchDriver.<String, String>handler(batch -> {}).deliver(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
