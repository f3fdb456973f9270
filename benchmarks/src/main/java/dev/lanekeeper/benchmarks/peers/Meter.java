package dev.lanekeeper.benchmarks.peers;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a stretch of time cost this JVM, and how busy others were meanwhile. What the system does not tell is {@code NaN}.
 * Immutable; begin with {@link #begin}, on any thread.
 */
final class Meter {
    private static final double TICKS_PER_SECOND = 100;

    private final long broker;
    private final long beginNanos = System.nanoTime();
    private final double ownSeconds = ownCpuSeconds();
    private final double machineSeconds = machineCpuSeconds();
    private final double brokerSeconds;
    private final long allocated = allocatedBytes();

    private Meter(long broker) {
        this.broker = broker;
        this.brokerSeconds = cpuSecondsOf(broker);
    }

    /** What happened between the two readings. */
    record Cost(double cpuSeconds, double bytes, double foreignCores) {}

    static Meter begin(long brokerPid) {
        return new Meter(brokerPid);
    }

    Cost cost() {
        double own = ownCpuSeconds() - ownSeconds;
        double foreign = machineCpuSeconds() - machineSeconds - own - (cpuSecondsOf(broker) - brokerSeconds);
        double seconds = (System.nanoTime() - beginNanos) / 1e9;
        return new Cost(own, allocatedBytes() - allocated, Math.max(0, foreign / seconds));
    }

    private static double ownCpuSeconds() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }

    /** By all threads there ever were (JDK 21 and later), else by those alive: contenders keep theirs until they are closed. */
    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try {
            return (long)
                    ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes").invoke(threads);
        } catch (NoSuchMethodException e) {
            long sum = 0;
            for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
                sum += Math.max(0, bytes);
            }
            return sum;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The most memory this process ever had, in MB. */
    static double peakMegabytes() {
        return lines("/proc/self/status").stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElse(Double.NaN);
    }

    private static double machineCpuSeconds() {
        List<String> lines = lines("/proc/stat");
        if (lines.isEmpty()) {
            return Double.NaN;
        }
        String[] fields = lines.get(0).trim().split("\\s+", -1);
        double busy = 0;
        for (int i = 1; i < fields.length && i <= 8; i++) {
            busy += i == 4 || i == 5 ? 0 : Double.parseDouble(fields[i]); // but for idle and waiting for disks
        }
        return busy / TICKS_PER_SECOND;
    }

    private static double cpuSecondsOf(long pid) {
        List<String> lines = lines("/proc/" + pid + "/stat");
        if (lines.isEmpty()) {
            return Double.NaN;
        }
        String line = lines.get(0);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return (Double.parseDouble(fields[11]) + Double.parseDouble(fields[12])) / TICKS_PER_SECOND;
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
