package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.testkit.Seed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Batches that fail now and then, poisoned records among them, while the partition is taken away and comes back again and
 * again. The checker is shown what it has to find.
 */
@Timeout(120)
@ExtendWith(Seed.class)
class BatchSoakTest {
    private static final int RECORDS = 4_000;
    private static final int CUSTOMERS = 12;

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());

    private final AtomicInteger largest = new AtomicInteger();

    /** Handled records in the order in which they were. */
    private final List<Done> done = Collections.synchronizedList(new ArrayList<>());

    /** One record, handled in one life of its partition. */
    private record Done(String customer, int number, int epoch) {}

    @Test
    void eachCustomerIsInOrderAndAloneAndOnlyThePoisonedAreSetAside(Random random) {
        List<String> poisoned = new ArrayList<>();
        LaneKeeper<String, String> keeper = rig.start(builder ->
                builder.concurrency(4).batchHandler(this::handle, BatchLimit.records(2 + random.nextInt(8))));
        Map<String, Integer> sent = new HashMap<>();
        for (int i = 0; i < RECORDS; i++) {
            String customer = "c" + random.nextInt(CUSTOMERS);
            int number = sent.merge(customer, 1, Integer::sum);
            boolean poison = random.nextInt(50) == 0;
            rig.send(customer + "=" + number + (poison ? " bad" : ""));
            if (poison) {
                poisoned.add(number + " bad");
            }
            if (random.nextInt(100) == 0) {
                rig.consumer.revokeAndReturn(P0);
                rig.awaitPasses(2);
            }
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> rig.consumer.committedOffset(P0) == RECORDS);
        await().until(() -> keeper.view().lanes().live() == 0);
        assertThat(faults).isEmpty();
        assertThat(disorder(done)).isEmpty();
        assertThat(done.stream().map(it -> it.customer + " " + it.number).collect(Collectors.toSet()))
                .hasSize(RECORDS - poisoned.size());
        assertThat(rig.sent("dead")).containsExactlyInAnyOrderElementsOf(poisoned);
        assertThat(keeper.view().abandoned()).isZero();
        assertThat(largest.get()).as("there were batches").isGreaterThan(1);
        assertThat(done).as("the partition went and came back").anyMatch(it -> it.epoch > done.get(0).epoch);
    }

    private void handle(List<Delivery<String, String>> batch) throws IOException {
        largest.accumulateAndGet(batch.size(), Math::max);
        String customer = String.valueOf(batch.get(0).key());
        if (!busy.add(customer)) {
            faults.add("two batches of " + customer + " at once");
        }
        try {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(200_000)); // times, not decisions
            if (batch.stream()
                    .anyMatch(delivery -> String.valueOf(delivery.value()).endsWith("bad"))) {
                throw new IOException("planned");
            }
            if (batch.size() > 1 && batch.get(0).record().offset() % 5 == 0) {
                throw new IOException("planned, and not alone");
            }
            for (Delivery<String, String> delivery : batch) {
                if (!customer.equals(delivery.key())) {
                    faults.add(delivery + " is in a batch of " + customer);
                }
                done.add(new Done(customer, Integer.parseInt(String.valueOf(delivery.value())), delivery.epoch()));
            }
        } finally {
            busy.remove(customer);
        }
    }

    /** What was handled behind a later record of its customer, although nothing was taken away in between. */
    private static List<String> disorder(List<Done> done) {
        List<String> found = new ArrayList<>();
        Map<String, Done> last = new HashMap<>();
        for (Done now : done) {
            Done before = last.put(now.customer, now);
            if (before != null
                    && (before.epoch > now.epoch || (before.epoch == now.epoch && before.number >= now.number))) {
                found.add(now + " after " + before);
            }
        }
        return found;
    }

    @Test
    void theCheckerFindsWhatIsOutOfOrder() {
        assertThat(disorder(
                        List.of(new Done("a", 1, 1), new Done("b", 1, 1), new Done("a", 3, 1), new Done("a", 2, 1))))
                .hasSize(1);
        assertThat(disorder(List.of(new Done("a", 1, 1), new Done("a", 1, 1))))
                .as("twice")
                .hasSize(1);
        assertThat(disorder(List.of(new Done("a", 1, 2), new Done("a", 2, 1))))
                .as("an old life")
                .hasSize(1);
        assertThat(disorder(List.of(new Done("a", 2, 1), new Done("a", 1, 2))))
                .as("again")
                .isEmpty();
    }
}
