package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.HandlerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The contexts of an engine, entered in their order and left in the reverse one. Thread-safe. */
final class Surroundings {
    private static final Logger log = LoggerFactory.getLogger(Surroundings.class);

    private final List<HandlerContext> contexts;
    private final AtomicBoolean complained = new AtomicBoolean();

    Surroundings(List<HandlerContext> contexts) {
        this.contexts = List.copyOf(contexts);
    }

    /** {@code null} if there are none. */
    @Nullable
    Scopes enter(Delivery<?, ?> delivery) {
        if (contexts.isEmpty()) {
            return null;
        }
        Scopes entered = new Scopes();
        for (HandlerContext context : contexts) {
            guarded(context, it -> entered.innermostFirst.add(0, it.enter(delivery)));
        }
        return entered;
    }

    /** An attempt's work does not depend on whether it is watched. */
    private <T> void guarded(T foreign, Consumer<T> call) {
        try {
            call.accept(foreign);
        } catch (Throwable t) {
            if (complained.compareAndSet(false, true)) {
                log.warn("a handler context fails, which changes nothing else and is not said again", t);
            }
        }
    }

    /** What one attempt has entered; handed along with it. */
    final class Scopes {
        private final List<HandlerContext.Scope> innermostFirst = new ArrayList<>(contexts.size());

        void leave() {
            innermostFirst.forEach(scope -> guarded(scope, HandlerContext.Scope::leave));
        }

        void ended(@Nullable Throwable failure) {
            innermostFirst.forEach(scope -> guarded(scope, it -> it.ended(failure)));
        }
    }
}
