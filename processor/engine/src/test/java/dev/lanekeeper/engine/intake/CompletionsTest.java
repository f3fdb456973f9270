package dev.lanekeeper.engine.intake;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class CompletionsTest {
    private static final int THREADS = 4;
    private static final int EACH = 50_000;
    private static final Assignment ASSIGNMENT = new Assignment(new TopicPartition("t", 0), 1);

    private final Completions completions = new Completions();

    @Test
    void ofManyThatOfferAndOneThatTakesNoneIsLostOrDoubled() throws InterruptedException {
        CountDownLatch begin = new CountDownLatch(1);
        AtomicLong offering = new AtomicLong(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long base = (long) i * EACH;
            Thread thread = new Thread(() -> {
                await(begin);
                for (int n = 0; n < EACH; n++) {
                    completions.offer(parcel(base + n));
                }
                offering.decrementAndGet();
            });
            thread.start();
            threads.add(thread);
        }
        begin.countDown();
        Set<Long> taken = new HashSet<>();
        boolean last;
        do {
            last = offering.get() == 0; // read before taking: what was offered before it is taken now
            for (Routed each = completions.takeAll(); each != null; each = each.nextCompleted()) {
                assertThat(taken.add(each.sequence())).isTrue();
            }
        } while (!last);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(taken).hasSize(THREADS * EACH);
        assertThat(completions.takeAll()).isNull();
    }

    @Test
    void takesInTheOrderOfTheOffers() {
        completions.offer(parcel(1));
        completions.offer(parcel(2));
        Routed first = requireNonNull(completions.takeAll());
        assertThat(first.sequence()).isEqualTo(1);
        Routed second = requireNonNull(first.nextCompleted());
        assertThat(second.sequence()).isEqualTo(2);
        assertThat(second.nextCompleted()).isNull();
    }

    @Test
    void anOfferWakesTheOneThatWaits() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            AtomicBoolean woken = new AtomicBoolean();
            Thread waiting = new Thread(() -> {
                while (completions.takeAll() == null) { // may return early
                    completions.await(TimeUnit.HOURS.toNanos(1));
                }
                woken.set(true);
            });
            waiting.start();
            if (round % 2 == 0) { // half the rounds race the offer with the wait
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            }
            completions.offer(parcel(round));
            waiting.join();
            assertThat(woken).isTrue();
        }
    }

    @Test
    void whatWasOfferedBeforeIsNotWaitedFor() {
        completions.offer(parcel(1));
        completions.await(TimeUnit.HOURS.toNanos(1));
        assertThat(completions.takeAll()).isNotNull();
    }

    /** Edge case 60: an interrupt is kept for whoever it is meant for. */
    @Test
    void anInterruptedThreadDoesNotWaitAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        completions.await(TimeUnit.HOURS.toNanos(1));
        assertThat(Thread.interrupted()).isTrue();
    }

    private static Parcel parcel(long number) {
        byte @Nullable [] nothing = null;
        return new Parcel(new ConsumerRecord<>("t", 0, number, nothing, nothing), ASSIGNMENT, number);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
