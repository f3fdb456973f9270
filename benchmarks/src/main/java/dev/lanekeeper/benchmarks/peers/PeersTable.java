package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.peers.contenders.Contender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * Runs the engine and its peers over the same records, interleaved in rounds, and writes the tables. Runs on the main
 * thread; the broker and each run have a JVM of their own.
 */
public final class PeersTable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String BROKER_HEAP = "1g";

    private final PeersSettings settings;
    private final String bootstrap;
    private final long brokerPid;
    private final long spinsPerMicro = Probe.calibrate();
    private final Report report = new Report();
    private int runs;

    private PeersTable(PeersSettings settings, String bootstrap, long brokerPid) {
        this.settings = settings;
        this.bootstrap = bootstrap;
        this.brokerPid = brokerPid;
    }

    /** Prints the tables and writes them to a file; no arguments, see {@link PeersSettings} for the properties. */
    public static void main(String[] args) throws Exception {
        PeersSettings settings = PeersSettings.of(System.getProperties());
        Path data = Files.createTempDirectory(Files.isWritable(MEMORY) ? MEMORY : temporary(), "peers-broker");
        List<String> arguments = List.of(data.resolve("data").toString());
        try (Jvm broker = Jvm.start(BROKER_HEAP, Jvm.classPath(), BrokerMain.class, arguments)) {
            String up = broker.awaitLine(BrokerMain.UP);
            if (up == null) {
                throw new IllegalStateException("the broker did not start; see above");
            }
            String text = new PeersTable(settings, up.substring(BrokerMain.UP.length()), broker.pid()).compare();
            System.out.println(text);
            Files.writeString(settings.file(), text);
        } finally {
            delete(data);
        }
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private String compare() throws IOException, InterruptedException, ExecutionException {
        try (Topics topics = new Topics(bootstrap)) {
            for (Workload unscaled : settings.workloads()) {
                Workload workload = unscaled.scaled(settings.scale());
                load(topics, workload);
                for (int round = 1; round <= settings.rounds(); round++) {
                    for (Contender contender : contenders(workload)) {
                        Reading reading = run(topics, workload, contender);
                        report.add(workload, contender, reading);
                        System.err.printf(
                                Locale.ROOT,
                                "%s, round %d, %s: %,.0f/s %s%n",
                                workload.name(),
                                round,
                                contender.title(),
                                reading.rate(),
                                reading.fault());
                    }
                }
            }
        }
        return heading() + report.markdown() + "\n### Targets\n\n"
                + String.join(
                        "\n",
                        PeersTargets.of(report).stream()
                                .map(verdict -> "    " + verdict)
                                .toList());
    }

    /** One thread that blocks says nothing. */
    private List<Contender> contenders(Workload workload) {
        return settings.contenders().stream()
                .filter(contender -> contender != Contender.BARE || workload.busy())
                .toList();
    }

    private String heading() {
        return String.format(
                Locale.ROOT,
                "JDK %s, %d cores; medians of %d round(s); each run in a JVM of its own with -Xmx%s.%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                settings.rounds(),
                settings.heap());
    }

    private static String topic(Workload workload) {
        return workload.name().toLowerCase(Locale.ROOT);
    }

    private static void load(Topics topics, Workload workload) throws ExecutionException, InterruptedException {
        System.err.println("loading " + workload.name());
        if (!workload.paced()) { // else each run has its own
            topics.create(topic(workload), workload.partitions());
            topics.fill(topic(workload), workload);
        }
    }

    private Reading run(Topics topics, Workload workload, Contender contender)
            throws IOException, InterruptedException, ExecutionException {
        String name = topic(workload) + "-" + ++runs;
        Run run = new Run(
                contender,
                workload,
                bootstrap,
                brokerPid,
                workload.paced() ? name : topic(workload),
                name,
                spinsPerMicro);
        if (workload.paced()) {
            topics.create(name, workload.partitions());
            topics.create(Run.warmingUp(name), workload.partitions());
            topics.fill(Run.warmingUp(name), workload.warmingUp());
        }
        if (workload.kind() == Workload.Kind.STUCK) {
            return stuck(run);
        }
        try (Jvm jvm = Jvm.start(
                settings.heap(), settings.classPath(contender), RunMain.class, run.arguments(settings.scale()))) {
            if (workload.paced() && jvm.awaitLine(RunMain.READY) != null) {
                topics.fill(name, workload);
            }
            String line = jvm.awaitLine(Reading.MARK);
            return line == null ? Reading.failed("died") : Reading.of(line);
        }
    }

    /** Kills the first life, as a power failure would, and has a second one go on. */
    private Reading stuck(Run run) throws IOException {
        Path done = Files.createTempFile("peers-done", ".bits");
        List<String> arguments = new ArrayList<>(run.arguments(settings.scale()));
        arguments.add(done.toString());
        String classPath = settings.classPath(run.contender());
        String line;
        try (Jvm first = Jvm.start(settings.heap(), classPath, StuckMain.class, arguments)) {
            line = first.awaitLine(Reading.MARK);
            first.kill();
        }
        if (line == null) {
            return Reading.failed("died");
        }
        Reading before = Reading.of(line);
        arguments.add("restarted");
        try (Jvm second = Jvm.start(settings.heap(), classPath, StuckMain.class, arguments)) {
            String again = second.awaitLine(Reading.MARK);
            return again == null ? Reading.failed("died when restarted") : before.followedBy(Reading.of(again));
        } finally {
            Files.delete(done);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(all::add);
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
