package dev.lanekeeper.app.handlers;

import dev.lanekeeper.app.config.ConfigurationException;
import dev.lanekeeper.app.config.Keys;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.message.Job;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Makes the handler that {@code lanekeeper.handler} names. Stateless. */
public final class HandlerFactory {
    private HandlerFactory() {}

    /**
     * The handler, configured; the caller closes it.
     *
     * @throws ConfigurationException if there is no such handler, or its settings are wrong
     */
    public static JobHandler create(LanekeeperConfig config) {
        return config.handler().equals("http") ? http(config) : ofClass(config);
    }

    /** {@code handler} behind the checks that every handler of jobs relies on. */
    public static JobHandler checked(JobHandler handler, LaneKey laneKey) {
        return new JobCheck(laneKey).before(handler);
    }

    private static JobHandler http(LanekeeperConfig config) {
        URI url = config.httpUrl()
                .orElseThrow(() -> new ConfigurationException(Keys.HTTP_URL + " is not set; " + Keys.HANDLER
                        + " is http, which needs an http or https URL to post jobs to"));
        return new JobHandler.Async(new HttpHandler(url, config.httpTimeout(), LaneKey.of(config)));
    }

    @SuppressWarnings("unchecked") // a class says nothing at run time about its type arguments
    private static JobHandler ofClass(LanekeeperConfig config) {
        Object handler = instantiate(config.handler());
        if (handler instanceof ConfigurableHandler configurable) {
            configure(config, configurable);
        }
        if (handler instanceof AsyncHandler<?, ?> async) {
            return new JobHandler.Async((AsyncHandler<String, Job>) async);
        }
        if (handler instanceof Handler<?, ?> blocking) {
            return new JobHandler.Blocking((Handler<String, Job>) blocking);
        }
        throw refused(config.handler(), "it is neither a Handler nor an AsyncHandler", null);
    }

    private static Object instantiate(String name) {
        try {
            return Class.forName(name).getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw refused(name, "no such class is on the class path", e);
        } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
            throw refused(name, "it must be a public class with a public constructor without arguments", e);
        } catch (InvocationTargetException e) {
            throw refused(name, "its constructor failed: " + e.getCause(), e.getCause());
        } catch (LinkageError e) {
            throw refused(name, "it cannot be loaded: " + e, e);
        }
    }

    private static void configure(LanekeeperConfig config, ConfigurableHandler handler) {
        try {
            handler.configure(config.handlerSettings());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(config.handler() + ": " + e.getMessage(), e);
        }
    }

    private static ConfigurationException refused(String name, String reason, @Nullable Throwable cause) {
        return new ConfigurationException(Keys.HANDLER + ": \"" + name + "\" is not allowed: " + reason, cause);
    }
}
