package dev.lanekeeper.app.config;

/**
 * One value as the user gave it.
 *
 * @param value the text, variables expanded
 * @param origin where it came from, for messages: empty for the file, else in brackets after a space
 */
record Setting(String value, String origin) {}
