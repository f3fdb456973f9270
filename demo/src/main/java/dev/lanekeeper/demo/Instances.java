package dev.lanekeeper.demo;

import dev.lanekeeper.app.Processor;
import dev.lanekeeper.app.config.LanekeeperConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** The processors of a demo, all in this process and one consumer group. Confined to the main thread. */
final class Instances implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration LONGEST_SHARING = Duration.ofSeconds(20);

    private final List<Processor> processors = new ArrayList<>();

    /** Starts {@code count} of them, numbered from 1. */
    Instances(int count, IntFunction<LanekeeperConfig> configs) {
        try {
            for (int number = 1; number <= count; number++) {
                Processor processor = Processor.create(configs.apply(number));
                processors.add(processor);
                processor.start();
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Waits until each has its share of the partitions, so that the work does not begin with moving them around. */
    void awaitShares(int partitions) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_SHARING.toNanos();
        while (!shared(partitions) && System.nanoTime() < deadline) {
            try {
                ended().get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // none of them has ended: as it should be
            } catch (ExecutionException e) {
                return; // whoever waits for the work hears of it
            }
        }
    }

    private boolean shared(int partitions) {
        int assigned = 0;
        for (Processor processor : processors) {
            int own = processor.view().partitions().size();
            if (own == 0) {
                return false;
            }
            assigned += own;
        }
        return assigned == partitions;
    }

    /** Completed when any of them has ended, which none should before {@link #close}. */
    CompletableFuture<Object> ended() {
        return CompletableFuture.anyOf(
                processors.stream().map(Processor::terminated).toArray(CompletableFuture<?>[]::new));
    }

    /** Lets them finish what runs, commit and leave; once they have, does nothing. */
    void stop() {
        processors.forEach(Processor::close);
    }

    @Override
    public void close() {
        stop();
    }
}
