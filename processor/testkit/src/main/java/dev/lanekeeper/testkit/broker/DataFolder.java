package dev.lanekeeper.testkit.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of one broker, locked while it is open. Kafka has a lock of its own, but takes it too late: a second broker
 * would have written to the first one's metadata by then.
 */
final class DataFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    private static final String LOCK_FILE = ".in-use";

    private final Path path;
    private final boolean temporary;
    private final FileChannel lock;

    private DataFolder(Path path, boolean temporary, FileChannel lock) {
        this.path = path;
        this.temporary = temporary;
        this.lock = lock;
    }

    /** Opens {@code given}, which is created if need be and kept, or a temporary folder, deleted when closed. */
    static DataFolder open(@Nullable Path given) throws IOException {
        Path path = given == null
                ? Files.createTempDirectory("lanekeeper-kafka-")
                : Files.createDirectories(given.toAbsolutePath());
        return new DataFolder(path, given == null, lock(path));
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(channel)) {
            channel.close();
            throw new IllegalStateException(
                    "folder " + path + " is in use by another broker; stop that one, or choose another folder");
        }
        return channel;
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock held = channel.tryLock();
            return held != null;
        } catch (OverlappingFileLockException e) {
            return false; // by this very JVM
        }
    }

    Path path() {
        return path;
    }

    /** A room of its own: Kafka refuses a folder with anything in it that it does not know. */
    Path data() {
        return path.resolve("kafka");
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.debug("Lock of {} not closed", path, e);
        }
        if (temporary) {
            delete(path);
        }
    }

    /** Deletes {@code folder} and all in it; what cannot be deleted is left to the system's own cleaning. */
    static void delete(Path folder) {
        try (Stream<Path> found = Files.walk(folder)) {
            List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("Left behind: {}", folder, e);
        }
    }
}
