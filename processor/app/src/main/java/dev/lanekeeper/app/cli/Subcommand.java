package dev.lanekeeper.app.cli;

import java.util.concurrent.Callable;

/**
 * A command below {@code lanekeeper}: a class with picocli's {@code @Command} and a constructor without arguments, found
 * by {@link java.util.ServiceLoader}, so that a module on the class path adds its own.
 *
 * <p>{@code call} returns an {@link ExitCode}. It prints with {@code spec.commandLine().getOut()} and {@code getErr()},
 * never to {@code System.out}. For a user's mistake it throws {@link
 * dev.lanekeeper.app.config.ConfigurationException}, for a failure that needs no trace {@link CommandFailure}.
 */
public interface Subcommand extends Callable<Integer> {}
