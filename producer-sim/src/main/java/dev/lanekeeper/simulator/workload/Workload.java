package dev.lanekeeper.simulator.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lanekeeper.message.Job;
import dev.lanekeeper.message.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;

/**
 * Jobs of many customers, interleaved, in an order that its settings decide: the same settings give the same jobs in the
 * same order, on any machine and Java version. Only {@code submittedAt} is read from the clock it is given. Immutable;
 * each iterator starts afresh and is confined to one thread.
 *
 * <p>What anyone who reads the topic can rely on:
 * <ul>
 *   <li>the payload of a customer's jobs holds {@code n}: 1, 2, 3, … without a gap, jobs of the poison kind included
 *   <li>a job's id is {@code j-SEED-POSITION}, with its position in the workload, from 1
 *   <li>undecodable records have their customer's key, no number, and are not counted in {@code n}
 * </ul>
 */
public final class Workload implements Iterable<SimulatedRecord> {
    /** The kind of the jobs a handler is to refuse. */
    public static final String POISON_KIND = "poison";

    private static final List<String> KINDS = List.of("deposit", "withdraw", "fee");
    private static final int LARGEST_AMOUNT_CENTS = 100_000;

    private final WorkloadSettings settings;
    private final InstantSource clock;
    private final MessageCodec codec = new MessageCodec();

    /** A workload whose jobs are submitted at the time {@code clock} shows when each is drawn. */
    public Workload(WorkloadSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** What it was made from. */
    public WorkloadSettings settings() {
        return settings;
    }

    /** The id of the customer with this rank, from 1; with a skew, a lower rank is a busier customer. */
    public static String customerId(int rank) {
        return String.format(Locale.ROOT, "c-%06d", rank);
    }

    @Override
    public Iterator<SimulatedRecord> iterator() {
        return new Draw();
    }

    /**
     * Far-apart seeds from near ones, because two linear congruential generators with related seeds give related
     * numbers. The finalizer of MurmurHash3, which is public domain.
     */
    private static long scramble(long seed) {
        long mixed = seed;
        mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }

    /** One walk. What is drawn for a record never depends on what was drawn for another purpose. */
    private final class Draw implements Iterator<SimulatedRecord> {
        // java.util.Random because its sequence is specified, not just what its numbers look like
        private final Random whose = new Random(scramble(settings.seed()));
        private final Random what = new Random(scramble(settings.seed() + 1));
        private final Zipf zipf = new Zipf(settings.customers(), settings.skew());
        private final int[] numbers = new int[settings.customers()];
        private long position;

        @Override
        public boolean hasNext() {
            return position < settings.jobs();
        }

        @Override
        public SimulatedRecord next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            position++;
            int rank = settings.skew() == 0 ? 1 + whose.nextInt(settings.customers()) : zipf.next(whose);
            double fate = what.nextDouble();
            String kind = KINDS.get(what.nextInt(KINDS.size()));
            int amountCents = 1 + what.nextInt(LARGEST_AMOUNT_CENTS);
            if (fate >= settings.poisonRatio()) {
                return job(rank, kind, amountCents, SimulatedRecord.Nature.JOB);
            }
            return fate < settings.poisonRatio() / 2
                    ? undecodable(rank)
                    : job(rank, POISON_KIND, amountCents, SimulatedRecord.Nature.REFUSED);
        }

        private SimulatedRecord job(int rank, String kind, int amountCents, SimulatedRecord.Nature nature) {
            String customerId = customerId(rank);
            int n = ++numbers[rank - 1];
            ObjectNode payload = JsonNodeFactory.instance.objectNode();
            payload.put("n", n).put("amountCents", amountCents);
            Job job = new Job(id(), customerId, kind, clock.instant(), null, payload, Map.of());
            return new SimulatedRecord(customerId, codec.encode(job), nature);
        }

        /** By turns bytes that are no JSON, and JSON that does not say whose it is. */
        private SimulatedRecord undecodable(int rank) {
            String value = position % 2 == 0
                    ? "not a job, record " + position
                    : "{\"type\":\"job\",\"id\":\"" + id() + "\",\"kind\":\"deposit\",\"payload\":{}}";
            return new SimulatedRecord(
                    customerId(rank), value.getBytes(StandardCharsets.UTF_8), SimulatedRecord.Nature.UNDECODABLE);
        }

        private String id() {
            return "j-" + settings.seed() + "-" + position;
        }
    }
}
