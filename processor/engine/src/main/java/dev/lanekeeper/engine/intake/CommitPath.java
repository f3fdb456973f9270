package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.Collection;

/** How the broker learns what is done. Confined to the poll thread. */
sealed interface CommitPath permits Commits, TransactionCommits {
    /** Hears of a record that its tracker counts as done from now on; in the order in which they came to their ends. */
    void completed(Routed routed);

    /** Whether more records may be counted as done, or had better wait until what is known has been committed. */
    boolean hasRoom();

    /**
     * Sends what the broker has not heard of, if it is time and no commit is under way.
     *
     * @throws org.apache.kafka.common.KafkaException if no commit will ever succeed
     */
    void commitIfDue(Collection<Assignment> assignments);

    /**
     * Commits what is new of these partitions, at least, and waits for the answer.
     *
     * @return {@code false} if the broker refused or did not answer in time
     */
    boolean commitNow(Collection<Assignment> assignments, Duration timeout);
}
