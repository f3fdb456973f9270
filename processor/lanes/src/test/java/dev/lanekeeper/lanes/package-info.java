/**
 * The promises of lanes, each as a test that has been seen to fail.
 *
 * <p>Start at {@code LanesOrderTest}: what a user may rely on. {@code LaneExplorerTest} tries every interleaving of the
 * algorithm, {@code PlantedFaultsTest} shows that the checks used here can tell good lanes from bad ones. Tests wait on
 * latches, never for time to pass.
 */
@NullMarked
package dev.lanekeeper.lanes;

import org.jspecify.annotations.NullMarked;
