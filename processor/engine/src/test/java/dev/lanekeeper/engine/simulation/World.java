package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.simulation.cluster.FakeCluster;
import dev.lanekeeper.engine.simulation.cluster.FakeGroup;
import dev.lanekeeper.engine.simulation.cluster.PartitionLog;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.fate.Luck;
import dev.lanekeeper.engine.simulation.fate.Strands;
import dev.lanekeeper.engine.simulation.history.History;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * One simulation: a cluster, instances, messages, and what befalls them. First everything may go wrong, then nothing does any
 * more and all must come to its end. Confined to one thread; used once.
 */
final class World {
    /** How long it may take until all is at its end, when nothing goes wrong any more. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration GLANCE = Duration.ofMillis(100);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final int MOST_INSTANCES = 4;

    private final Plan plan;
    private final Sabotage sabotage;
    private final SplittableRandom random;
    private final Clockwork clockwork;
    private final Luck luck;
    private final History history;
    private final Recorder recorder;
    private final FakeCluster cluster;
    private final FakeGroup group;
    private final Host host = new Host("world");
    private final List<Instance> instances = new ArrayList<>();
    private final Strands strands = new Strands();
    private int born;
    private long calls;
    private boolean healed;
    private boolean ending;

    World(Plan plan, Sabotage sabotage) {
        this.plan = plan;
        this.sabotage = sabotage;
        this.random = new SplittableRandom(~plan.seed());
        this.history = new History(
                plan.shape().drainTimeout(),
                plan.mostAttempts(),
                plan.fencedAfter().orElse(NEVER),
                plan.has(Trait.TRANSACTIONS));
        this.clockwork = new Clockwork(random.split(), history::uncaught);
        this.luck = new Luck(plan.chances(), random.split());
        this.recorder = new Recorder(history, clockwork::nowNanos);
        this.cluster = new FakeCluster(clockwork, luck, recorder);
        this.group = cluster.group("group", plan.protocol());
    }

    /** Runs it to its end, or to the first violation; either is in the history then. */
    History run() {
        try (strands) {
            live();
        }
        return history;
    }

    private void live() {
        cluster.createTopic(Recorder.JOBS, plan.shape().partitions());
        cluster.createTopic(Recorder.DEAD, 1);
        cluster.createTopic(Recorder.OUT, 1);
        new Workload(this).begin();
        for (int i = 0; i < plan.shape().instances(); i++) {
            clockwork.after(luck.between(0, Plan.WORK_NANOS), host, this::bear);
        }
        for (Misfortune misfortune : plan.misfortunes()) {
            clockwork.after(misfortune.atNanos(), host, () -> befall(misfortune));
        }
        clockwork.run(Plan.TROUBLE_NANOS, this::violated);
        heal();
        if (!reaches(this::allCommitted)) {
            recorder.stalled();
        } else if (!reaches(this::quiet)) {
            alive().forEach(instance -> recorder.quiet(instance.host().name(), instance.left()));
            recorder.stalled();
        } else {
            end();
        }
    }

    private boolean violated() {
        return history.violation() != null;
    }

    private boolean reaches(BooleanSupplier goal) {
        long deadline = clockwork.nowNanos() + PATIENCE.toNanos();
        while (!violated() && !goal.getAsBoolean() && clockwork.nowNanos() < deadline) {
            clockwork.run(clockwork.nowNanos() + GLANCE.toNanos(), this::violated);
        }
        return !violated() && goal.getAsBoolean();
    }

    // -- what befalls

    private void bear() {
        if (ending) {
            return;
        }
        Instance instance = new Instance(this, "i" + ++born);
        instances.add(instance);
        instance.start();
    }

    /** Has another instance begin after {@code delay}; at once if all must come to an end. */
    void replace(Duration delay) {
        clockwork.after(healed ? 0 : delay.toNanos(), host, this::bear);
    }

    /** A transactional id that no instance has that is alive: so one that takes another's place ends its transaction. */
    String transactionalId() {
        return IntStream.range(0, instances.size() + 1)
                .mapToObj(number -> "place" + number)
                .filter(id -> alive().stream()
                        .noneMatch(instance -> instance.transactionalId().equals(id)))
                .findFirst()
                .orElseThrow();
    }

    /** A number for a call of several records, which no other one has. */
    long nextCall() {
        return ++calls;
    }

    private List<Instance> alive() {
        return instances.stream().filter(Instance::alive).toList();
    }

    private void befall(Misfortune misfortune) {
        switch (misfortune.kind()) {
            case JOIN -> {
                if (alive().size() < MOST_INSTANCES) {
                    bear();
                }
            }
            case REBALANCE -> group.requestRebalance();
            case TRUNCATE -> truncate(misfortune.target());
            case TOPIC_GONE -> {
                cluster.reachable(Recorder.DEAD, false);
                clockwork.after(misfortune.lengthNanos(), host, () -> cluster.reachable(Recorder.DEAD, true));
            }
            default -> {
                List<Instance> candidates = alive();
                if (!candidates.isEmpty()) {
                    befall(misfortune, candidates.get(misfortune.target() % candidates.size()));
                }
            }
        }
    }

    private void befall(Misfortune misfortune, Instance instance) {
        Duration length = Duration.ofNanos(misfortune.lengthNanos());
        switch (misfortune.kind()) {
            case CRASH -> {
                instance.crash();
                replace(length);
                clockwork.after(FakeCluster.SESSION_TIMEOUT.toNanos(), host, () -> group.expel(instance.consumer()));
            }
            case CLOSE -> {
                if (!instance.closing()) {
                    instance.close();
                    replace(length);
                }
            }
            case FREEZE -> {
                instance.host().freeze(clockwork.nowNanos() + length.toNanos());
                if (length.compareTo(FakeCluster.SESSION_TIMEOUT) > 0) {
                    clockwork.after(
                            FakeCluster.SESSION_TIMEOUT.toNanos(), host, () -> group.expel(instance.consumer()));
                }
            }
            case EXPEL -> group.expel(instance.consumer());
            case PAUSE, DRAIN, RESUME, BULK -> clockwork.soon(instance.host(), () -> ask(misfortune, instance));
            default -> throw new IllegalArgumentException(misfortune + " befalls no instance");
        }
    }

    private void ask(Misfortune misfortune, Instance instance) {
        int target = misfortune.target();
        PauseMode mode = target % 2 == 0 ? PauseMode.RUNNING : PauseMode.SUBMITTED;
        Duration timeout = Duration.ofMillis(20L * target);
        switch (misfortune.kind()) {
            case PAUSE -> instance.operator().pause(false, mode, timeout, misfortune.lengthNanos());
            case DRAIN -> instance.operator().pause(true, mode, timeout, misfortune.lengthNanos());
            case RESUME -> instance.operator().resume();
            case BULK -> instance.operator().bulk(customers(target));
            default -> throw new IllegalArgumentException(misfortune + " is nothing to be asked for");
        }
    }

    /** Two or more, not in order, as far as there are so many. */
    private List<String> customers(int target) {
        int keys = plan.shape().keys();
        return IntStream.range(target, target + Math.min(keys, 2 + target % 4))
                .mapToObj(number -> "c" + number % keys)
                .toList();
    }

    private void truncate(int target) {
        int number = target % plan.shape().partitions();
        PartitionLog log = cluster.log(new TopicPartition(Recorder.JOBS, number));
        long offset = Math.max(0, log.end() - luck.between(0, 8));
        log.truncate(offset);
        recorder.truncated(number, offset, log.leaderEpoch());
        if (luck.has(Chance.GAP)) {
            log.appendGap((int) luck.between(1, 4));
        }
    }

    // -- the end

    /** Nothing goes wrong any more; what can't come to an end is restarted, as an operator would. */
    private void heal() {
        healed = true;
        luck.turnGood();
        cluster.reachable(Recorder.DEAD, true);
        for (Instance instance : alive()) {
            instance.host().thaw();
            if (instance.stuck() && !instance.closing()) {
                instance.close();
                replace(Duration.ZERO);
            }
        }
        if (alive().stream().allMatch(Instance::closing)) {
            replace(Duration.ZERO);
        }
    }

    private boolean allCommitted() {
        for (int number = 0; number < plan.shape().partitions(); number++) {
            if (committed(number) < end(number)) {
                return false;
            }
        }
        return true;
    }

    /** What a commit is worth after truncations. */
    private long committed(int number) {
        return group.resumesAt(new TopicPartition(Recorder.JOBS, number));
    }

    private long end(int number) {
        return cluster.log(new TopicPartition(Recorder.JOBS, number)).end();
    }

    private boolean quiet() {
        return alive().stream().allMatch(instance -> !instance.closing() && instance.left() == 0);
    }

    private void end() {
        ending = true;
        alive().forEach(Instance::close);
        boolean closed = reaches(() -> alive().isEmpty());
        instances.forEach(instance -> recorder.quiet(instance.host().name(), closed ? 0 : instance.left()));
        for (int number = 0; number < plan.shape().partitions(); number++) {
            recorder.finished(number, committed(number), end(number));
        }
        if (!closed) {
            recorder.stalled();
        }
    }

    // -- what it is made of

    Plan plan() {
        return plan;
    }

    Sabotage sabotage() {
        return sabotage;
    }

    RandomGenerator random() {
        return random;
    }

    Clockwork clockwork() {
        return clockwork;
    }

    Strands strands() {
        return strands;
    }

    Luck luck() {
        return luck;
    }

    Recorder recorder() {
        return recorder;
    }

    FakeCluster cluster() {
        return cluster;
    }

    FakeGroup group() {
        return group;
    }

    Host host() {
        return host;
    }
}
