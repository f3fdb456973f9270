package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The one interleaving that load hardly ever meets: who buries a lane is held up before it unmaps it, and meanwhile the
 * key gets work again. The map asks the key for its hash code just then, which is where this test steps in.
 */
class LaneBurialTest {
    private final AtomicReference<@Nullable Runnable> onHash = new AtomicReference<>();
    private final Lanes<Key> lanes = Lanes.<Key>builder(Comparator.comparingInt(Key::hashCode))
            .executor(Runnable::run)
            .build();

    /** All keys are equal; one thread can be held up in their hash code. */
    private final class Key {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key;
        }

        @Override
        public int hashCode() {
            if (Thread.currentThread().getName().equals("burying")) {
                Runnable hook = onHash.getAndSet(null);
                if (hook != null) {
                    hook.run();
                }
            }
            return 1;
        }
    }

    private static final class Held extends Ticket<Key> {
        private boolean started;

        @Override
        protected void start() {
            started = true;
        }
    }

    @Test
    void aLaneThatTookThePlaceOfADeadOneIsNotUnmappedWithIt() throws Exception {
        CountDownLatch buried = new CountDownLatch(1);
        CountDownLatch unmap = new CountDownLatch(1);
        Thread burying = new Thread(
                () -> lanes.enqueue(new Key(), new Ticket<>() {
                    @Override
                    protected void start() {
                        onHash.set(
                                () -> { // the next one to ask is the removal from the map
                                    buried.countDown();
                                    Soon.reached(unmap);
                                });
                        settle();
                    }
                }),
                "burying");
        burying.start();
        Soon.reached(buried);

        Held second = new Held();
        lanes.enqueue(new Key(), second);
        assertThat(second.started)
                .as("nothing holds the key, and nobody waits for the other thread")
                .isTrue();
        unmap.countDown();
        Soon.ended(burying);

        Held third = new Held();
        lanes.enqueue(new Key(), third);
        assertThat(third.started).as("beside the second").isFalse();
        assertThat(lanes.view().live()).isEqualTo(1);
        second.settle();
        assertThat(third.started).isTrue();
        third.settle();
        assertThat(lanes.view().live()).isZero();
    }
}
