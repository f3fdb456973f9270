/**
 * The {@code simulate} command: options in, exit code and JSON out. Start at {@link
 * dev.lanekeeper.simulator.cli.SimulateCommand}, which the command line finds through a service file and calls on the
 * main thread. Must not know how a workload is drawn or sent.
 */
@NullMarked
package dev.lanekeeper.simulator.cli;

import org.jspecify.annotations.NullMarked;
