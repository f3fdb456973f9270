/**
 * The topics that Lanekeeper uses: which there should be, creating what is missing, and asking what is there.
 *
 * <p>Start at {@link dev.lanekeeper.app.topics.TopicPlan} and {@link dev.lanekeeper.app.topics.TopicAdmin}. Called by
 * commands and by the demo, on their threads, which wait for the broker. This package must not know the command line.
 */
@NullMarked
package dev.lanekeeper.app.topics;

import org.jspecify.annotations.NullMarked;
