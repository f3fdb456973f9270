/**
 * Records that are set aside in order: how they look in the parking topic, and which customers' are there.
 *
 * <p>Start at {@link dev.lanekeeper.engine.parking.ParkedTable}, whose head comment says why what it reads is right. The
 * topic is read on threads that may block, never on the poll thread. This package must not know lanes, handlers or the
 * intake.
 */
@NullMarked
package dev.lanekeeper.engine.parking;

import org.jspecify.annotations.NullMarked;
