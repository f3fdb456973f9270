/**
 * What decides how a simulation goes: virtual time, who is alive, and chance, all from one seed.
 *
 * <p>Start at {@code Clockwork}. Everything is confined to the one thread that runs a simulation. It must not know Kafka or the
 * engine.
 */
@NullMarked
package dev.lanekeeper.engine.simulation.fate;

import org.jspecify.annotations.NullMarked;
