/**
 * The product as a program: configuration, handler and engine put together.
 *
 * <p>Start at {@link dev.lanekeeper.app.Processor}, one running instance. It is created and closed by the command line
 * and by the demo, on any thread; handlers run on the engine's. This package must not know the command line.
 */
@NullMarked
package dev.lanekeeper.app;

import org.jspecify.annotations.NullMarked;
