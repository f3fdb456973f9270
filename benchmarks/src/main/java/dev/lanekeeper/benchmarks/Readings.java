package dev.lanekeeper.benchmarks;

import dev.lanekeeper.benchmarks.memory.Footprint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Has heap readings taken, each in a JVM of its own. */
final class Readings {
    private Readings() {}

    /** Bytes; see {@link Footprint#main}. */
    static long bytes(String reading, String peer, int keys) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx5g",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Footprint.class.getName(),
                        reading,
                        peer,
                        Integer.toString(keys)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException("reading " + reading + " of " + peer + " ended with exit code " + code);
        }
        return Long.parseLong(output);
    }
}
