package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No more threads than allowed, no task forgotten. On platform threads, so that it runs on each JVM: they are made alike. */
@Timeout(60)
class VirtualWorkersTest {
    private final List<Thread> made = new CopyOnWriteArrayList<>();
    private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<String> interrupted = new CopyOnWriteArrayList<>();
    private final Semaphore ends = new Semaphore(0);
    private final VirtualWorkers workers = new VirtualWorkers(this::thread, 2, 3);

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((who, cause) -> uncaught.add(cause));
        made.add(thread);
        return thread;
    }

    @AfterEach
    void endThreads() {
        workers.close(true);
    }

    /** Runs until the test lets it end. */
    private void execute(String name) {
        workers.execute(() -> {
            begun.add(name);
            try {
                ends.acquire();
            } catch (InterruptedException e) {
                interrupted.add(name);
            }
        });
    }

    private void awaitBegun(String... names) {
        EngineRig.await().until(() -> begun.size() == names.length);
        assertThat(begun).containsExactlyInAnyOrder(names);
    }

    @Test
    void whatIsBeyondTheConcurrencyWaitsForAThread() {
        execute("a");
        execute("b");
        execute("c");
        awaitBegun("a", "b");
        assertThat(made).hasSize(2);
        ends.release();
        awaitBegun("a", "b", "c");
        assertThat(made).as("a thread goes on with the next").hasSize(2);
    }

    @Test
    void threadsEndWhenThereIsNothingToDo() throws InterruptedException {
        execute("a");
        ends.release();
        awaitBegun("a");
        made.get(0).join();
        execute("b");
        awaitBegun("a", "b");
        assertThat(made).hasSize(2);
    }

    @Test
    void moreThreadsTakeWhoWaits() {
        execute("a");
        execute("b");
        execute("c");
        execute("d");
        workers.resize(100);
        awaitBegun("a", "b", "c");
        assertThat(made).as("no more than the most, whatever the concurrency").hasSize(3);
    }

    @Test
    void fewerThreadsAreLeftWhenTheyComeToTheEndOfWhatTheyDo() throws InterruptedException {
        execute("a");
        execute("b");
        execute("c");
        execute("d");
        awaitBegun("a", "b");
        workers.resize(1);
        ends.release(); // one of the two has one too many
        EngineRig.await().until(() -> made.stream().filter(Thread::isAlive).count() == 1);
        assertThat(begun).hasSize(2);
        ends.release();
        EngineRig.await().until(() -> begun.size() == 3);
        ends.release(2);
        EngineRig.await().until(() -> made.stream().noneMatch(Thread::isAlive));
        assertThat(begun).hasSize(4);
        assertThat(interrupted).isEmpty();
    }

    @Test
    void aTaskThatThrowsTakesNobodyWithIt() {
        workers.resize(1);
        IllegalStateException fault = new IllegalStateException("against the rules");
        CountDownLatch queued = new CountDownLatch(1);
        workers.execute(() -> {
            awaitDown(queued);
            Thread.currentThread().interrupt();
            throw fault;
        });
        execute("next");
        queued.countDown();
        awaitBegun("next");
        EngineRig.await().until(() -> uncaught.size() == 1);
        assertThat(uncaught).containsExactly(fault);
        ends.release();
        EngineRig.await().until(() -> made.stream().noneMatch(Thread::isAlive));
        assertThat(interrupted).as("by what was meant for the one before").isEmpty();
    }

    private static void awaitDown(CountDownLatch latch) {
        EngineRig.await().until(() -> latch.getCount() == 0);
    }

    @Test
    void aCloseLetsWhatIsInLineRun() {
        execute("a");
        execute("b");
        execute("c");
        awaitBegun("a", "b");
        workers.close(false);
        assertThatThrownBy(() -> execute("d")).isInstanceOf(RejectedExecutionException.class);
        workers.resize(3); // too late
        ends.release(3);
        awaitBegun("a", "b", "c");
    }

    @Test
    void aCloseThatInterruptsForgetsWhatIsInLine() {
        execute("a");
        execute("b");
        execute("c");
        awaitBegun("a", "b");
        workers.close(true);
        EngineRig.await().until(() -> made.stream().noneMatch(Thread::isAlive));
        assertThat(interrupted).containsExactlyInAnyOrder("a", "b");
        assertThat(begun).hasSize(2);
    }

    @Test
    void aThreadThatCannotBeStartedTakesNoRoom() {
        OutOfMemoryError none = new OutOfMemoryError("unable to create native thread");
        boolean[] refuses = {true};
        VirtualWorkers poor = new VirtualWorkers(
                task -> new Thread(task) {
                    @Override
                    public synchronized void start() {
                        if (refuses[0]) {
                            throw none;
                        }
                        super.start();
                    }
                },
                1,
                1);
        assertThatThrownBy(() -> poor.execute(() -> begun.add("refused"))).isSameAs(none);
        refuses[0] = false;
        poor.execute(() -> begun.add("taken"));
        awaitBegun("taken");
        poor.close(true);
    }
}
