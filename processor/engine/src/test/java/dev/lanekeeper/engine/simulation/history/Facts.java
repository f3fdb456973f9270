package dev.lanekeeper.engine.simulation.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is the case after the events so far. Confined to the simulation's thread. */
final class Facts {
    /** A handler at work. */
    static final class Run {
        final String instance;
        final Message message;
        final int epoch;
        final int attempt;
        final long sinceNanos;

        /** Whether others may run beside it: the instance was cut off, or has given up waiting for it. */
        boolean excused;

        Run(Event start) {
            instance = start.instance();
            message = start.requireMessage();
            epoch = start.epoch();
            attempt = start.attempt();
            sinceNanos = start.nanos();
        }

        @Override
        public String toString() {
            return message + " on " + instance + ", epoch " + epoch + ", attempt " + attempt;
        }
    }

    /** A partition's time with an instance. */
    static final class Tenure {
        final int epoch;
        long position;
        long revokingSince = Long.MAX_VALUE;

        /** Whether the group has given the partition to others although the instance doesn't know. */
        boolean expelled;

        /** Whether the log was truncated meanwhile, so that everything may begin again. */
        boolean restarted;

        /** Whether it was stopped and goes on, so that a record may have all its attempts again. */
        boolean unstopped;

        /** The last attempt of each message, and whether it succeeded. */
        final Map<String, Integer> attempts = new HashMap<>();

        final Set<String> succeeded = new HashSet<>();

        /** What the commit that it began with says to be done beyond its offset, by id. */
        final Set<String> known = new HashSet<>();

        Tenure(int epoch, long position) {
            this.epoch = epoch;
            this.position = position;
        }
    }

    /** One partition's log, and how far it is committed. */
    static final class Log {
        final NavigableMap<Long, Message> messages = new TreeMap<>();
        final NavigableMap<Integer, Long> epochStarts = new TreeMap<>();
        long committed;

        /** What the last commit says beyond that; nothing if the log was cut since. */
        Ahead ahead = Ahead.NOTHING;

        /** What a commit is worth after truncations that its leader epoch tells of. */
        long effective(long offset, int leaderEpoch) {
            if (leaderEpoch < 0) {
                return offset;
            }
            Map.Entry<Integer, Long> next = epochStarts.higherEntry(leaderEpoch);
            return next == null ? offset : Math.min(offset, next.getValue());
        }

        /** Whether no record of which {@code said} speaks has been cut away. */
        private boolean allows(Ahead said) {
            return effective(said.end(), said.leaderEpoch()) == said.end();
        }
    }

    private record Place(String instance, int partition) {}

    private final Map<Integer, Log> logs = new TreeMap<>();
    private final Map<Place, Tenure> tenures = new LinkedHashMap<>();
    private final List<Run> open = new ArrayList<>();
    private final Set<String> durable = new HashSet<>();
    private final Exclusives exclusives = new Exclusives();
    private final Batches batches = new Batches();
    private final boolean exactlyOnce;

    private final Effects effects = new Effects();

    /** What a handler has come to an end with, in whatever way. */
    private final Set<String> tried = new HashSet<>();

    /** Of engines that commit outputs and offsets in transactions, or don't. */
    Facts(boolean exactlyOnce) {
        this.exactlyOnce = exactlyOnce;
    }

    Batches batches() {
        return batches;
    }

    Exclusives exclusives() {
        return exclusives;
    }

    Effects effects() {
        return effects;
    }

    /** Whether a handler has come to an end with {@code message}, or that has come to its own. */
    boolean tried(Message message) {
        return durable(message) || tried.contains(message.id());
    }

    /** Whether what is committed tells that {@code message} is done. */
    boolean committed(Message message) {
        Log log = log(message.partition());
        return message.offset() < log.committed || log.ahead.tells(message);
    }

    Log log(int partition) {
        return logs.computeIfAbsent(partition, unused -> new Log());
    }

    Collection<Log> logs() {
        return logs.values();
    }

    @Nullable
    Tenure tenure(String instance, int partition) {
        return tenures.get(new Place(instance, partition));
    }

    List<Run> open() {
        return open;
    }

    boolean durable(Message message) {
        return durable.contains(message.id());
    }

    /** What is not at its end yet, of everything. */
    List<Message> unfinished() {
        return logs.values().stream()
                .flatMap(log -> log.messages.values().stream())
                .filter(message -> !durable(message))
                .toList();
    }

    void apply(Event event) {
        exclusives.apply(event);
        effects.apply(event);
        switch (event.kind()) {
            case SUBMIT -> log(event.partition()).messages.put(event.offset(), event.requireMessage());
            case TRUNCATE -> truncated(event);
            case ASSIGN -> assigned(event);
            case REVOKE -> {
                Tenure tenure = tenure(event.instance(), event.partition());
                if (tenure != null) {
                    tenure.revokingSince = Math.min(tenure.revokingSince, event.nanos());
                }
            }
            case UNSTOPPED -> {
                Tenure tenure = tenure(event.instance(), event.partition());
                if (tenure != null) {
                    tenure.unstopped = true;
                }
            }
            case REVOKED, LOST -> {
                tenures.remove(new Place(event.instance(), event.partition()));
                batches.gone(event.instance(), event.partition());
                excuse(event.instance(), event.partition());
            }
            case EXPEL -> {
                tenures.forEach(
                        (place, tenure) -> tenure.expelled |= place.instance().equals(event.instance()));
                excuse(event.instance(), -1);
            }
            case DEAD -> {
                tenures.keySet().removeIf(place -> place.instance().equals(event.instance()));
                open.removeIf(run -> run.instance.equals(event.instance()));
                batches.gone(event.instance(), -1);
            }
            case START -> started(event);
            case END, FAIL, LATE -> ended(event);
            case ACK, DLQ, OUTPUT -> {
                durable.add(event.requireMessage().id());
                batches.acknowledged(event).forEach(message -> durable.add(message.id()));
            }
            case COMMIT -> {
                Log log = log(event.partition());
                log.committed = log.effective(event.offset(), event.epoch());
                log.ahead = log.allows(event.ahead()) ? event.ahead() : Ahead.NOTHING;
            }
            default -> {}
        }
    }

    private void assigned(Event event) {
        Tenure tenure = new Tenure(event.epoch(), event.offset());
        Log log = log(event.partition());
        log.messages.values().stream()
                .filter(message -> log.ahead.tells(message))
                .forEach(message -> tenure.known.add(message.id()));
        tenures.put(new Place(event.instance(), event.partition()), tenure);
    }

    private void truncated(Event event) {
        Log log = log(event.partition());
        log.messages.tailMap(event.offset(), true).clear();
        log.epochStarts.values().removeIf(start -> start >= event.offset());
        log.epochStarts.put(event.epoch(), event.offset());
        log.committed = Math.min(log.committed, event.offset());
        if (log.ahead.end() > event.offset()) {
            log.ahead = Ahead.NOTHING;
        }
        tenures.forEach((place, tenure) -> {
            if (place.partition() == event.partition()) {
                tenure.restarted = true;
                tenure.position = Math.min(tenure.position, log.committed);
            }
        });
    }

    private void excuse(String instance, int partition) {
        for (Run run : open) {
            if (run.instance.equals(instance) && (partition < 0 || run.message.partition() == partition)) {
                run.excused = true;
            }
        }
    }

    private void started(Event event) {
        Run run = new Run(event);
        Tenure tenure = tenure(event.instance(), event.partition());
        if (tenure != null) {
            tenure.attempts.put(run.message.id(), event.attempt());
            tenure.succeeded.remove(run.message.id());
            run.excused = tenure.expelled;
        }
        for (Message anew : batches.started(event)) {
            if (tenure != null) {
                tenure.succeeded.remove(anew.id());
            }
        }
        open.add(run);
    }

    private void ended(Event event) {
        Message message = event.requireMessage();
        open.removeIf(run -> run.instance.equals(event.instance())
                && run.message.equals(message)
                && run.epoch == event.epoch()
                && run.attempt == event.attempt());
        tried.add(message.id());
        if (event.kind() != Event.Kind.END) {
            batches.failed(event);
        } else {
            Tenure tenure = tenure(event.instance(), event.partition());
            if (tenure != null && tenure.epoch == event.epoch()) {
                tenure.succeeded.add(message.id());
            }
            List<Message> done = exactlyOnce ? null : batches.handled(event);
            if (done != null) {
                done.forEach(each -> durable.add(each.id()));
            } else if (event.detail() == 0) {
                durable.add(message.id());
            }
        }
    }
}
