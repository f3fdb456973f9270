package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.handler.TerminalException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Edge cases of docs/edge-cases.md, whose numbers these are, that no other test of the engine shows. */
@Timeout(60)
class EdgeCaseTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    /** Edge case 2, PC#579: whom a key means is decided by its bytes, however they look as text; and so it leaves. */
    @Test
    void keysThatLookAlikeAsTextAreDifferentCustomers() {
        byte[] notText = {(byte) 0xC3, '('};
        byte[] norThis = {(byte) 0xC4, '('}; // decoded, both are the same replacement and a bracket
        rig.startAsync();
        rig.consumer.appendBytes(P0, notText, "0".getBytes(UTF_8));
        rig.consumer.appendBytes(P0, norThis, "1".getBytes(UTF_8));
        rig.consumer.append(P0, "caf\u00e9", "composed");
        rig.consumer.append(P0, "cafe\u0301", "decomposed");
        rig.consumer.appendBytes(P0, notText.clone(), "behind 0".getBytes(UTF_8));
        Puppet.Run first = rig.puppet.run("0");
        assertThat(rig.puppet.run("1").delivery().key())
                .isEqualTo(first.delivery().key());
        rig.puppet.run("composed");
        rig.puppet.run("decomposed");
        rig.awaitPasses(2);
        assertThat(rig.puppet.values()).doesNotContain("behind 0");
        first.fail(new TerminalException("planned"));
        rig.puppet.run("behind 0");
        assertThat(rig.records("dead").get(0).key()).isEqualTo(notText);
    }

    /** Edge case 22: somebody else completes the stage while the handler still runs; it has to return as well. */
    @Test
    void aStageThatIsDoneEarlyDoesNotFreeTheLaneOfAHandlerThatRuns() throws InterruptedException {
        CountDownLatch completed = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        rig.start(settings -> settings.asyncHandler(delivery -> {
            if (!"0".equals(delivery.value())) {
                return rig.puppet.async().handle(delivery);
            }
            CompletableFuture<Void> stage = new CompletableFuture<>();
            Thread other = new Thread(() -> stage.complete(null));
            other.start();
            other.join();
            completed.countDown();
            mayReturn.await();
            return stage;
        }));
        rig.send("a=0", "a=1", "b=2");
        completed.await();
        rig.puppet.run("2");
        rig.awaitPasses(3);
        assertThat(rig.puppet.values()).containsExactly("2");
        mayReturn.countDown();
        rig.puppet.run("1");
    }

    /** Edge case 5: when even the shortened letter is refused, nothing is skipped, and the topic may be mended. */
    @Test
    void aShortenedLetterThatIsRefusedTooIsSentAgainUntilTheTopicTakesIt() {
        EngineRig silent = EngineRig.silent();
        try {
            LaneKeeper<String, String> keeper = startAndRefuseTwice(silent);
            silent.awaitPasses(3);
            assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
            assertThat(keeper.view().dead()).isZero();
            assertThat(silent.consumer.committedOffset(P0)).isNotPositive();
            await().until(() -> silent.records("dead").size() == 3);
            silent.producer().completeNext();
            await().until(() -> silent.consumer.committedOffset(P0) == 1);
            assertThat(keeper.view().dead()).isEqualTo(1);
            silent.puppet.run("next");
        } finally {
            silent.close();
        }
    }

    /** The same with a partition that goes and comes back: what could not be written holds no lane of its past. */
    @Test
    void aShortenedLetterThatIsRefusedTooEndsWithItsPartition() {
        EngineRig silent = EngineRig.silent();
        try {
            startAndRefuseTwice(silent);
            silent.consumer.revokeAndReturn(P0);
            silent.awaitPasses(1);
            await().until(() -> silent.puppet.started().size() > 1);
            assertThat(silent.puppet.values()).containsExactly("bad", "bad");
        } finally {
            silent.close();
        }
    }

    private LaneKeeper<String, String> startAndRefuseTwice(EngineRig silent) {
        LaneKeeper<String, String> keeper = silent.start(settings ->
                settings.drainTimeout(Duration.ZERO).retry(RetryPolicy.never()).asyncHandler(silent.puppet.async()));
        silent.send("a=bad", "a=next");
        silent.puppet.run("bad").fail(new IOException("planned"));
        for (int letter = 1; letter <= 2; letter++) {
            int sent = letter;
            await().until(() -> silent.records("dead").size() == sent);
            silent.producer().errorNext(new RecordTooLargeException("planned"));
        }
        return keeper;
    }

    /** Edge case 50: the clock on the wall may jump as it likes; it is written down, and nothing waits for it. */
    @Test
    void aClockThatJumpsChangesNoDeadline() {
        AtomicInteger looks = new AtomicInteger();
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.clock(
                        () -> Instant.EPOCH.plus(Duration.ofDays(looks.incrementAndGet() % 2 * 20_000L)))
                .retry(new RetryPolicy(3, Duration.ofMillis(5), Duration.ofMillis(5), 0))
                .handlerTimeout(HandlerTimeout.hold(Duration.ofHours(1)))
                .asyncHandler(rig.puppet.async()));
        rig.send("a=0", "a=1");
        rig.puppet.run("0").fail(new IOException("planned"));
        rig.puppet.run("0", 1).finish();
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(looks).hasPositiveValue();
        assertThat(keeper.view().overdue()).isZero();
        assertThat(rig.sent("dead")).isEmpty();
    }

    /** Edge case 49, kpipe's dispatcher: lanes follow what is buffered, not whoever ever came. */
    @Test
    void thereAreAsManyLanesAsThereIsWorkFor() {
        int customers = 100_000;
        AtomicInteger mostLanes = new AtomicInteger();
        AtomicReference<@Nullable EngineView> shown = new AtomicReference<>();
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.bufferRecords(1_000).handler(delivery -> {
                    EngineView view = shown.get();
                    if (view != null && delivery.record().offset() % 64 == 0) {
                        mostLanes.accumulateAndGet(view.lanes().live(), Math::max);
                    }
                }));
        EngineView view = keeper.view();
        shown.set(view);
        for (int i = 0; i < customers; i++) {
            rig.consumer.append(P0, "c" + i, "v");
        }
        rig.awaitCommitted(customers);
        assertThat(mostLanes.get()).isBetween(1, 1_500); // the buffer and one poll
        await().until(() -> view.lanes().live() == 0);
        assertThat(view.inFlight() + view.queued()).isZero();
        assertThat(view.partitions().get(0).incomplete()).isZero();
    }

    /** PC#184, PC#314: customers whose records come in several topics. One line for each, and every topic is done. */
    @Test
    void theSameCustomersInThreeTopicsShareTheirLanes() {
        List<TopicPartition> partitions = List.of(P0, new TopicPartition("orders", 0), new TopicPartition("bills", 0));
        Set<String> busy = ConcurrentHashMap.newKeySet();
        Map<String, Long> last = Collections.synchronizedMap(new HashMap<>());
        List<String> faults = Collections.synchronizedList(new ArrayList<>());
        rig.start(settings -> settings.topics("jobs", "orders", "bills")
                .concurrency(8)
                .handler(delivery -> {
                    String customer = String.valueOf(delivery.key());
                    String line = customer + " of " + delivery.record().topic();
                    long offset = delivery.record().offset();
                    if (!busy.add(customer)) {
                        faults.add("two at once: " + line + "@" + offset);
                    }
                    Long before = last.put(line, offset);
                    if (before != null && before >= offset) {
                        faults.add("out of order: " + line + "@" + offset + " after " + before);
                    }
                    Thread.onSpinWait();
                    busy.remove(customer);
                }));
        rig.consumer.assign(partitions.get(1), partitions.get(2));
        for (int i = 0; i < 1_000; i++) {
            for (TopicPartition partition : partitions) {
                rig.consumer.append(partition, "c" + i % 10, "v");
            }
        }
        for (TopicPartition partition : partitions) {
            await().until(() -> rig.consumer.committedOffset(partition) == 1_000);
        }
        assertThat(last).hasSize(30);
        assertThat(faults).isEmpty();
    }
}
