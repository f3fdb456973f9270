/**
 * What a user may set: every key declared once, read from a file, the environment and the command line.
 *
 * <p>Start at {@link dev.lanekeeper.app.config.LanekeeperConfig}; the keys are in {@link
 * dev.lanekeeper.app.config.Keys}. Everything here is pure and immutable, for any thread, but the one method that reads
 * a file. This package must not know the command line, and creates no client.
 */
@NullMarked
package dev.lanekeeper.app.config;

import org.jspecify.annotations.NullMarked;
