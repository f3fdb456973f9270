package dev.lanekeeper.demo;

import dev.lanekeeper.testkit.broker.BrokerCluster;
import dev.lanekeeper.testkit.network.FaultProxy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What befalls the instances, the brokers and the network between them; each fault is over when its method returns. */
final class ChaosFaults {
    /** All there are. */
    enum Fault {
        KILL_INSTANCE,
        FREEZE_INSTANCE,
        REPLACE_INSTANCES_ONE_BY_ONE,
        REBALANCE_STORM,
        KILL_BROKER,
        RESTART_BROKER,
        CUT_CONNECTIONS,
        REFUSE_CONNECTIONS,
        HOLD_REQUESTS,
        LOSE_ANSWERS
    }

    /** Longer than the session of a member of the group. */
    private static final Duration FREEZE = Duration.ofSeconds(13);

    private static final Duration OUTAGE = Duration.ofSeconds(3);

    private final ChaosFleet fleet;
    private final BrokerCluster brokers;
    private final RandomGenerator random;
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);

    ChaosFaults(ChaosFleet fleet, BrokerCluster brokers, RandomGenerator random) {
        this.fleet = fleet;
        this.brokers = brokers;
        this.random = random;
    }

    /** One that has not been done yet, as long as there is such a one; then any. */
    Fault next() {
        Set<Fault> open = EnumSet.allOf(Fault.class);
        if (done.size() < open.size()) {
            open.removeAll(done.keySet());
        }
        return open.stream().skip(random.nextInt(open.size())).findFirst().orElseThrow();
    }

    Map<Fault, Integer> done() {
        return done;
    }

    void doNow(Fault fault) throws InterruptedException {
        switch (fault) {
            case KILL_INSTANCE -> {
                fleet.kill9(fleet.any(random));
                fleet.awaitRunning(fleet.launch());
            }
            case FREEZE_INSTANCE -> {
                String victim = fleet.any(random);
                fleet.freeze(victim);
                pause(FREEZE);
                fleet.thaw(victim);
            }
            case REPLACE_INSTANCES_ONE_BY_ONE -> {
                for (String name : fleet.names()) {
                    fleet.stop(name);
                    fleet.awaitRunning(fleet.launch());
                }
            }
            case REBALANCE_STORM -> {
                for (int i = 0; i < 4; i++) {
                    String extra = fleet.launch();
                    fleet.stop(fleet.names().get(0));
                    fleet.awaitRunning(extra);
                }
            }
            case KILL_BROKER -> {
                int victim = anyBroker();
                brokers.kill9(victim);
                pause(OUTAGE);
                brokers.restart(victim);
            }
            case RESTART_BROKER -> {
                int victim = anyBroker();
                brokers.stop(victim);
                brokers.restart(victim);
            }
            case CUT_CONNECTIONS -> atProxies(FaultProxy::cut, Duration.ZERO);
            case REFUSE_CONNECTIONS -> atProxies(proxy -> proxy.refuse(true), OUTAGE);
            case HOLD_REQUESTS -> atProxies(FaultProxy::holdRequests, OUTAGE);
            case LOSE_ANSWERS -> atProxies(FaultProxy::holdAnswers, OUTAGE);
        }
        done.merge(fault, 1, Integer::sum);
    }

    private int anyBroker() {
        return 1 + random.nextInt(brokers.size());
    }

    /** At all of them at once, or at one: and whoever was connected has to connect anew. */
    private void atProxies(Consumer<FaultProxy> fault, Duration length) throws InterruptedException {
        int first = random.nextBoolean() ? 1 : anyBroker();
        int last = first == 1 ? brokers.size() : first;
        for (int id = first; id <= last; id++) {
            fault.accept(brokers.proxy(id));
        }
        pause(length);
        for (int id = first; id <= last; id++) {
            brokers.proxy(id).cut();
            brokers.proxy(id).flow();
        }
    }

    /** The length of a fault, not a wait for anything. */
    private static void pause(Duration length) throws InterruptedException {
        if (new CountDownLatch(1).await(length.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("nobody counts it down");
        }
    }
}
