package dev.lanekeeper.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/*
 * Several records of a lane in one call
 * -------------------------------------
 * The head of the lane has the lane; those behind it stay in line, where nothing leaves as long as the head does not. It claims
 * them one by one, as if it started them: each becomes ACTIVE, so that the poll thread waits for it when its partition is
 * revoked, unless the poll thread has dropped it before. The first that can't be claimed is the last that is looked at, so what
 * is claimed is what comes next in the lane, without a gap, and nothing runs ahead of what was dropped.
 *
 * Each record has an attempt of its own, for its number, its outputs and its token. The head's stands for all of them where
 * there is only one: in the watch, for the permit and the rate limits, in the retry policy, in the count of failures.
 *
 * If the handler fails, the others are given back, that is, they become IDLE and look at `revoked`, before anything becomes of
 * the head. It waits for its retry as any record and gathers anew when it is started again. When there is to be no retry, all
 * of the batch are marked to go alone, and the head begins with that.
 *
 * If it succeeds, the records come to their ends one after the other, each when all that the one before it has to send is
 * acknowledged: `ended` is how many have. The lane is released by the head's ticket when the last of them has; it then finds
 * all the others ENDED. If one of them does not come to a durable end, or what it sends is refused, those behind it are given
 * back: nothing of them may count as done, and nothing be sent, ahead of it.
 */

/** One attempt of several records at once. Handed along with them: one thread at a time. */
final class BatchAttempt<K, V> {
    private final Walk<K, V> walk;
    private final Walk.Batched<K, V> call;

    /** In the order of the lane; the first holds it. */
    private final List<BatchTicket<K, V>> tickets;

    private final List<Attempt<K, V>> attempts;

    /** Whether the handler has succeeded. */
    private boolean handled;

    /** How many have come to their ends after that. */
    private int ended;

    /** Ends that were not gone on from; whoever makes it 1 goes on, until it is 0. */
    private final AtomicInteger due = new AtomicInteger();

    BatchAttempt(Walk<K, V> walk, Walk.Batched<K, V> call, List<BatchTicket<K, V>> tickets) {
        this.walk = walk;
        this.call = call;
        this.tickets = tickets;
        this.attempts = new ArrayList<>(tickets.size());
    }

    private BatchTicket<K, V> head() {
        return tickets.get(0);
    }

    /** Calls the handler, on this thread. */
    void run() {
        tickets.forEach(ticket -> attempts.add(ticket.attemptIn(this)));
        head().runs(attempts.get(0));
        enter();
        Throwable thrown = null;
        try {
            call.handle(attempts);
        } catch (Throwable t) { // whatever a handler throws is a failed attempt
            thrown = t;
        }
        leave();
        if (thrown == null) {
            succeeded();
        } else {
            failed(thrown);
        }
    }

    /** The first comes last, so that what surrounds it is innermost: a log line speaks of it. */
    private void enter() {
        Attempt<K, V> first = attempts.get(0);
        for (int i = attempts.size() - 1; i > 0; i--) {
            attempts.get(i).enter(walk.surroundings(), null);
        }
        first.enter(walk.surroundings(), walk.watch());
        others().forEach(attempt -> attempt.enterWith(first));
    }

    private void leave() {
        attempts.get(0).handlerReturned();
        others().forEach(Attempt::leave);
    }

    private List<Attempt<K, V>> others() {
        return attempts.subList(1, attempts.size());
    }

    /** Nobody else has ended it: only an attempt that lives on in a stage is ever fenced. */
    private static void end(Attempt<?, ?> attempt, @Nullable Throwable thrown) {
        attempt.end();
        attempt.tell(thrown);
    }

    // -- if it fails

    private void failed(Throwable thrown) {
        others().forEach(attempt -> end(attempt, thrown));
        Throwable cause = Judge.unwrapped(thrown);
        tickets.forEach(ticket -> ticket.failed(cause));
        giveBack(1);
        head().ended(attempts.get(0), thrown);
    }

    private void giveBack(int from) {
        tickets.subList(from, tickets.size()).forEach(BatchTicket::giveBack);
    }

    /** No attempt of the whole follows; of those that have not come to their ends each goes on alone, in its turn. */
    void split() {
        tickets.subList(ended, tickets.size()).forEach(BatchTicket::goAlone);
        if (handled) {
            giveBack(Math.max(1, ended)); // if not, they were
        }
        if (ended == 0) {
            head().retry(Duration.ZERO);
        } else {
            head().settle();
        }
    }

    // -- if it succeeds

    /** Whether the handler has succeeded, so that each end is told to {@link #ended}. */
    boolean handled() {
        return handled;
    }

    private void succeeded() {
        attempts.forEach(attempt -> end(attempt, null));
        head().givePermitBack();
        tickets.forEach(ticket -> ticket.does(LaneHead.Doing.PUBLISHING));
        handled = true;
        due.set(1);
        goOn(true);
    }

    /** The next has come to its end, on whatever thread. */
    void ended(boolean durable) {
        ended++;
        if (!durable) {
            giveBack(ended);
            ended = tickets.size();
        }
        if (due.getAndIncrement() == 0) {
            goOn(false);
        }
    }

    /** {@code mayBlock}: whether this is a thread for that, or the producer's, say. */
    private void goOn(boolean mayBlock) {
        do {
            if (ended == tickets.size()) {
                head().settle();
                return;
            }
            BatchTicket<K, V> next = tickets.get(ended);
            Attempt<K, V> attempt = attempts.get(ended);
            if (!mayBlock && attempt.sendsSomething()) {
                walk.workers().execute(() -> goOn(true));
                return;
            }
            next.conclude(attempt, null);
        } while (due.decrementAndGet() > 0);
    }
}
