package dev.lanekeeper.demo.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether every job that was sent came to one end. Immutable.
 *
 * @param found jobs found in the topic they were sent to
 * @param completed jobs whose first outcome is done
 * @param failed jobs whose first outcome is failed
 * @param deadLetters jobs that have a dead letter
 * @param stages how many of those, by the stage that failed
 * @param unanswered jobs without an outcome
 * @param unsent outcomes for jobs that were never sent
 * @param missingLetters failed jobs without a dead letter
 * @param strayLetters dead letters of jobs that did not fail
 * @param redelivered outcomes beyond the first of their job
 */
record Accounts(
        long found,
        long completed,
        long failed,
        long deadLetters,
        Map<String, Long> stages,
        long unanswered,
        long unsent,
        long missingLetters,
        long strayLetters,
        long redelivered) {

    /** What does not add up, a sentence each, given how many jobs the simulator says it sent; empty if all does. */
    List<String> problems(long sent) {
        List<String> problems = new ArrayList<>();
        add(problems, found != sent, "%,d jobs were sent, but %,d are in the topic", sent, found);
        add(problems, unanswered > 0, "%,d jobs have no outcome", unanswered);
        add(problems, unsent > 0, "%,d outcomes are for jobs that were never sent", unsent);
        add(problems, missingLetters > 0, "%,d failed jobs have no dead letter", missingLetters);
        add(problems, strayLetters > 0, "%,d dead letters are of jobs that did not fail", strayLetters);
        add(
                problems,
                problems.isEmpty() && completed + deadLetters != sent,
                "%,d completed and %,d dead-lettered make %,d, but %,d were sent",
                completed,
                deadLetters,
                completed + deadLetters,
                sent);
        return problems;
    }

    private static void add(List<String> problems, boolean wrong, String format, Object... values) {
        if (wrong) {
            problems.add(String.format(Locale.ROOT, format, values));
        }
    }
}
