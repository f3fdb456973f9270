package dev.lanekeeper.engine.simulation.history;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls of several records at once. One of them is done only when those before it in its call are, so it is kept here until
 * then. Confined to the simulation's thread.
 */
final class Batches {
    private static final class Member {
        final Message message;
        boolean handled;

        /** Whether its outputs are still to be acknowledged. */
        boolean sends;

        Member(Message message) {
            this.message = message;
        }
    }

    /** What is left of a call, in order. */
    private record Call(String instance, List<Member> members) {
        int indexOf(@Nullable Message message) {
            for (int i = 0; i < members.size(); i++) {
                if (members.get(i).message.equals(message)) {
                    return i;
                }
            }
            return -1;
        }
    }

    private final Map<Long, Call> calls = new LinkedHashMap<>();

    /** Whether {@code other} is in the call that {@code start} belongs to, and before it. */
    boolean together(Event start, Message other) {
        Call call = calls.get(start.detail());
        return call != null && call.indexOf(other) >= 0 && call.indexOf(start.requireMessage()) < 0;
    }

    /** Whether its outputs may have been refused, for which it is handled once more. */
    boolean mayHaveBeenRefused(Event start) {
        Call call = callOf(start);
        return call != null
                && call.indexOf(start.message()) == 0
                && call.members().get(0).sends;
    }

    /** It begins, in the call that {@code detail} tells, if any; those that were to be done after it will begin anew. */
    List<Message> started(Event start) {
        List<Message> anew = failed(start);
        if (start.detail() > 0) {
            calls.computeIfAbsent(start.detail(), unused -> new Call(start.instance(), new ArrayList<>()))
                    .members()
                    .add(new Member(start.requireMessage()));
        }
        return anew;
    }

    /** It was not done, nor is anything behind it: these. */
    List<Message> failed(Event event) {
        Call call = callOf(event);
        if (call == null) {
            return List.of();
        }
        List<Member> rest = call.members()
                .subList(call.indexOf(event.message()), call.members().size());
        List<Message> withdrawn = rest.stream().map(member -> member.message).toList();
        rest.clear();
        return withdrawn;
    }

    /** It was handled; what is done now, or {@code null} if it was in no call. */
    @Nullable
    List<Message> handled(Event end) {
        Call call = callOf(end);
        if (call == null) {
            return null;
        }
        Member member = call.members().get(call.indexOf(end.message()));
        member.handled = true;
        member.sends = end.detail() > 0;
        return settle(call);
    }

    /** Its outputs are acknowledged; what is done now. */
    List<Message> acknowledged(Event ack) {
        Call call = callOf(ack);
        if (call == null) {
            return List.of();
        }
        call.members().get(call.indexOf(ack.message())).sends = false;
        return settle(call);
    }

    private static List<Message> settle(Call call) {
        List<Message> done = new ArrayList<>();
        Iterator<Member> left = call.members().iterator();
        while (left.hasNext()) {
            Member member = left.next();
            if (!member.handled || member.sends) {
                break;
            }
            done.add(member.message);
            left.remove();
        }
        return done;
    }

    /** The instance has nothing to do with the partition any more; with any if that is negative. */
    void gone(String instance, int partition) {
        calls.values()
                .removeIf(call -> call.members().isEmpty()
                        || (call.instance().equals(instance)
                                && (partition < 0
                                        || call.members().get(0).message.partition() == partition)));
    }

    private @Nullable Call callOf(Event event) {
        Message message = Objects.requireNonNull(event.message());
        return calls.values().stream()
                .filter(call -> call.instance().equals(event.instance()) && call.indexOf(message) >= 0)
                .findFirst()
                .orElse(null);
    }
}
