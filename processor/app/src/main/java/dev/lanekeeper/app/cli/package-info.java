/**
 * The command line: commands, exit codes, and what a person reads.
 *
 * <p>Start at {@link dev.lanekeeper.app.cli.Main}; a command of another module is a {@link
 * dev.lanekeeper.app.cli.Subcommand}. Each command runs on the thread that calls it, the process's main thread. This
 * package must not know how jobs are processed: it configures, starts, waits and tells.
 */
@NullMarked
package dev.lanekeeper.app.cli;

import org.jspecify.annotations.NullMarked;
