package dev.lanekeeper.engine.intake;

/**
 * How a commit of a {@link ScriptedConsumer} goes wrong.
 *
 * @param cause what the committer hears
 * @param done whether it was done all the same
 * @param atTheCall whether it is thrown at the call, also if that is asynchronous
 */
record CommitFault(RuntimeException cause, boolean done, boolean atTheCall) {}
