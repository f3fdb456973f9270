package dev.lanekeeper.app.handlers;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.message.Job;

/**
 * Refuses, for good, records that no handler of jobs should see: those without a value, and jobs of another customer
 * than the record key says. Immutable.
 *
 * <p>Lanes are formed before anything is decoded, from the lane key alone. A job that sits under another customer's key
 * would therefore run beside its own customer's jobs. If the lane key is a header, the user has chosen another order
 * than the customer's, and the job's customer is not compared.
 */
final class JobCheck {
    private final LaneKey laneKey;

    JobCheck(LaneKey laneKey) {
        this.laneKey = laneKey;
    }

    /** {@code handler} behind this check. */
    JobHandler before(JobHandler handler) {
        if (handler instanceof JobHandler.Blocking blocking) {
            return new JobHandler.Blocking(delivery -> {
                check(delivery);
                blocking.handler().handle(delivery);
            });
        }
        JobHandler.Async async = (JobHandler.Async) handler;
        return new JobHandler.Async(delivery -> {
            check(delivery);
            return async.handler().handle(delivery);
        });
    }

    private void check(Delivery<String, Job> delivery) {
        Job job = delivery.value();
        if (job == null) {
            throw new TerminalException("the record has no value; a job is a JSON object");
        }
        String key = delivery.key();
        if (laneKey.header().isEmpty() && !job.customerId().equals(key)) {
            throw new TerminalException("the record key is \"" + key + "\" and the job's customerId is \""
                    + job.customerId() + "\"; they must be the same, or the customer's order cannot be kept");
        }
    }
}
