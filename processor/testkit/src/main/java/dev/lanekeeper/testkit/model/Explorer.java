package dev.lanekeeper.testkit.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Visits every state that a {@link Model} can get into, whoever moves when, and looks for one that is at fault. Confined
 * to one thread.
 *
 * <p>States are visited in the order of their distance from the first one, so the story of a fault has as few steps as
 * can be. What this shows holds for the model and its size only, and for memory in which all threads see all steps in
 * one order.
 */
public final class Explorer {
    private final Model model;
    private final int mostStates;
    private final Map<State, State> seen = new HashMap<>();
    private final ArrayDeque<State> unvisited = new ArrayDeque<>();
    private int steps;
    private int ends;

    private Explorer(Model model, int mostStates) {
        this.model = model;
        this.mostStates = mostStates;
    }

    /**
     * Explores all of {@code model}, or up to its first fault.
     *
     * @param mostStates how many states are thought to be enough
     * @throws IllegalStateException if there are more
     */
    public static Exploration explore(Model model, int mostStates) {
        return new Explorer(model, mostStates).run();
    }

    private Exploration run() {
        State first = new State(model.initial(), null, -1);
        seen.put(first, first);
        unvisited.add(first);
        String fault = model.fault(first.words);
        State at = first;
        while (fault == null && !unvisited.isEmpty()) {
            at = unvisited.remove();
            fault = visit(at);
        }
        Optional<Fault> found = fault == null ? Optional.empty() : Optional.of(new Fault(fault, story(at)));
        return new Exploration(seen.size(), steps, ends, found);
    }

    /** Says what is at fault in a state; if nothing, adds the states that follow it. */
    private @Nullable String visit(State state) {
        String fault = model.fault(state.words);
        if (fault != null) {
            return fault;
        }
        boolean end = true;
        for (int thread = 0; thread < model.threads(); thread++) {
            int[] words = state.words.clone();
            if (model.step(thread, words) != null) {
                end = false;
                steps++;
                add(new State(words, state, thread));
            }
        }
        if (!end) {
            return null;
        }
        ends++;
        return model.faultAtEnd(state.words);
    }

    private void add(State next) {
        if (seen.putIfAbsent(next, next) == null) {
            unvisited.add(next);
            if (seen.size() > mostStates) {
                throw new IllegalStateException("more than " + mostStates + " states; is a counter unbounded?");
            }
        }
    }

    /** Steps once more along the way to {@code last}, for the words that were not kept. */
    private List<String> story(State last) {
        List<State> way = new ArrayList<>();
        for (State state = last; state != null; state = state.before) {
            way.add(state);
        }
        Collections.reverse(way);
        List<String> story = new ArrayList<>();
        for (int i = 1; i < way.size(); i++) {
            int thread = way.get(i).mover;
            story.add(thread + ": " + model.step(thread, way.get(i - 1).words.clone()));
        }
        return story;
    }

    /**
     * What was found.
     *
     * @param states different states visited
     * @param steps steps taken between them
     * @param ends states in which nobody could move
     * @param fault the fault nearest to the beginning
     */
    public record Exploration(int states, int steps, int ends, Optional<Fault> fault) {
        @Override
        public String toString() {
            String size = states + " states, " + steps + " steps, " + ends + " ends";
            return fault.map(found -> size + "; " + found).orElse(size);
        }
    }

    /**
     * A state that must not be, and how to get there.
     *
     * @param what what is wrong with it
     * @param story the steps that led there, each with its thread
     */
    public record Fault(String what, List<String> story) {
        @Override
        public String toString() {
            return what + "\n  " + String.join("\n  ", story);
        }
    }

    private static final class State {
        final int[] words;
        final @Nullable State before;
        final int mover;
        private final int hash;

        State(int[] words, @Nullable State before, int mover) {
            this.words = words;
            this.before = before;
            this.mover = mover;
            this.hash = Arrays.hashCode(words);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof State that && Arrays.equals(words, that.words);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
