package dev.lanekeeper.streams;

import static dev.lanekeeper.streams.Scene.ran;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.streams.Finding.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Whatever the order in which the two topics are read against each other, the verdict is the same, and the right one. */
class InterleavingTest {
    private static final long SEED = Long.getLong("lanekeeper.seed", 20260102L);
    private static final int ROUNDS = 150;

    private record Keyed(String customer, Outcome outcome) {}

    @Test
    void honestRunsAreAlwaysClean() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(SEED + round);
            List<String> sent = sent(random, 60);
            List<Keyed> outcomes = honest(sent, random);
            AuditReport report = audit(sent, outcomes, random);
            assertThat(report.clean()).as("seed %d: %s", SEED + round, report).isTrue();
            assertThat(report.done()).isEqualTo(60);
        }
    }

    @Test
    void damagedRunsAreFoundAlikeAndExactlyInEveryInterleaving() {
        Map<Kind, Long> met = new EnumMap<>(Kind.class);
        long redelivered = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(SEED - 1 - round);
            List<String> sent = sent(random, 40);
            List<Keyed> outcomes = damaged(honest(sent, random), random);
            int roundNumber = round;
            Map<Kind, Long> expected = expected(sent, outcomes);
            AuditReport first = audit(sent, outcomes, random);
            AuditReport second = audit(sent, outcomes, random);
            SoftAssertions.assertSoftly(softly -> {
                softly.assertThat(first.counts())
                        .as("seed %d, round %d", SEED, roundNumber)
                        .containsAllEntriesOf(expected);
                softly.assertThat(second.counts()).isEqualTo(first.counts());
                softly.assertThat(second.comparisons()).isEqualTo(first.comparisons());
                softly.assertThat(second.redelivered()).isEqualTo(first.redelivered());
            });
            first.counts().forEach((kind, count) -> met.merge(kind, count, Long::sum));
            redelivered += first.redelivered();
        }
        assertThat(met).as("seed %d", SEED).hasSameSizeAs(Kind.values());
        met.forEach((kind, count) -> {
            if (kind != Kind.UNDECODABLE) {
                assertThat(count).as("%s, seed %d", kind, SEED).isGreaterThan(20);
            }
        });
        assertThat(redelivered).as("seed %d", SEED).isGreaterThan(20);
    }

    private static List<String> sent(Random random, int records) {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            sent.add("c-" + random.nextInt(6));
        }
        return sent;
    }

    /** Customers in any order against each other, each customer's records in order and one after another. */
    private static List<Keyed> honest(List<String> sent, Random random) {
        Map<String, List<Integer>> left = new HashMap<>();
        for (int offset = 0; offset < sent.size(); offset++) {
            left.computeIfAbsent(sent.get(offset), unused -> new ArrayList<>()).add(offset);
        }
        List<Keyed> outcomes = new ArrayList<>();
        Map<String, Double> ends = new HashMap<>();
        while (!left.isEmpty()) {
            List<String> customers = left.keySet().stream().sorted().toList();
            String customer = customers.get(random.nextInt(customers.size()));
            List<Integer> offsets = left.getOrDefault(customer, List.of());
            double from = ends.getOrDefault(customer, 0.0) + random.nextInt(3);
            double to = from + random.nextInt(5);
            ends.put(customer, to);
            // the partition changes hands once, half-way through
            boolean early = outcomes.size() < sent.size() / 2;
            Outcome outcome = ran(offsets.remove(0), early ? "i" : "k", early ? 1 : 2, from, to);
            outcomes.add(new Keyed(customer, outcome));
            if (offsets.isEmpty()) {
                left.remove(customer);
            }
        }
        return outcomes;
    }

    private static List<Keyed> damaged(List<Keyed> honest, Random random) {
        List<Keyed> damaged = new ArrayList<>(honest);
        for (int n = 1 + random.nextInt(5); n > 0; n--) {
            int at = random.nextInt(damaged.size());
            Keyed keyed = damaged.get(at);
            Outcome outcome = keyed.outcome();
            long offset = outcome.offset();
            switch (random.nextInt(6)) {
                case 0 -> damaged.remove(at);
                case 1 -> damaged.add(random.nextInt(damaged.size() + 1), keyed);
                case 2 -> damaged.add(damaged.remove(at));
                case 3 -> damaged.add(new Keyed(keyed.customer(), ran(offset, "m", 3, 900, 901)));
                case 4 -> damaged.add(at, new Keyed(keyed.customer(), ran(random.nextInt(45), "i", 1, 0, 1)));
                default -> damaged.set(at, new Keyed("c-" + random.nextInt(6), outcome));
            }
        }
        return damaged;
    }

    /** The same questions, asked with everything remembered and nothing clever. */
    private static Map<Kind, Long> expected(List<String> sent, List<Keyed> outcomes) {
        Set<String> unmet = new HashSet<>();
        for (int offset = 0; offset < sent.size(); offset++) {
            unmet.add(sent.get(offset) + "@" + offset);
        }
        Set<String> sentRecords = Set.copyOf(unmet);
        Set<String> seen = new HashSet<>();
        Set<String> seenByRun = new HashSet<>();
        Map<String, Long> tops = new HashMap<>();
        Map<String, Long> topsOfRun = new HashMap<>();
        Map<Kind, Long> expected = new EnumMap<>(Kind.class);
        for (Kind kind : new Kind[] {Kind.LOSS, Kind.UNKNOWN, Kind.DUPLICATE, Kind.REORDER}) {
            expected.put(kind, 0L);
        }
        for (Keyed keyed : outcomes) {
            long offset = keyed.outcome().offset();
            String record = keyed.customer() + "@" + offset;
            String run = keyed.outcome().instance() + keyed.outcome().epoch();
            boolean again = !seenByRun.add(record + run);
            if (seen.add(record)) {
                unmet.remove(record);
                if (!sentRecords.contains(record)) {
                    expected.merge(Kind.UNKNOWN, 1L, Long::sum);
                }
                if (offset < tops.getOrDefault(keyed.customer(), -1L)) {
                    expected.merge(Kind.REORDER, 1L, Long::sum);
                }
                tops.merge(keyed.customer(), offset, Math::max);
            } else if (again) {
                expected.merge(Kind.DUPLICATE, 1L, Long::sum);
            } else if (offset < topsOfRun.getOrDefault(keyed.customer() + run, -1L)) {
                expected.merge(Kind.REORDER, 1L, Long::sum);
            }
            topsOfRun.merge(keyed.customer() + run, offset, Math::max);
        }
        expected.put(Kind.LOSS, (long) unmet.size());
        return expected;
    }

    private static AuditReport audit(List<String> sent, List<Keyed> outcomes, Random random) {
        try (Scene scene = new Scene()) {
            // from all sent first, over evenly mixed, to all outcomes first
            double sendFirst = random.nextInt(5) / 4.0;
            int nextSent = 0;
            int nextOutcome = 0;
            while (nextSent < sent.size() || nextOutcome < outcomes.size()) {
                boolean send = nextOutcome == outcomes.size() || random.nextDouble() < sendFirst;
                if (nextSent < sent.size() && send) {
                    scene.sent(sent.get(nextSent++));
                } else if (nextOutcome < outcomes.size()) {
                    Keyed keyed = outcomes.get(nextOutcome++);
                    scene.outcome(keyed.customer(), keyed.outcome());
                } else {
                    scene.sent(sent.get(nextSent++));
                }
            }
            return scene.settled();
        }
    }
}
