/**
 * Lanekeeper in one command: a broker in this process, processors, traffic, the audit, and a report. Start at {@link
 * dev.lanekeeper.demo.DemoCommand}, which runs on the main thread. Nothing may depend on this package.
 */
@NullMarked
package dev.lanekeeper.demo;

import org.jspecify.annotations.NullMarked;
