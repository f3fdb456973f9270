package dev.lanekeeper.demo;

import java.util.List;

/**
 * The topics a demo looks into.
 *
 * @param jobs where the simulator writes
 * @param outcomes where the processors say how each job ended
 * @param deadLetters where they set aside what failed for good
 */
record DemoTopics(String jobs, String outcomes, String deadLetters) {
    List<String> all() {
        return List.of(jobs, outcomes, deadLetters);
    }
}
