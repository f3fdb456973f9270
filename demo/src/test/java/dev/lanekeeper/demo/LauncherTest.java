package dev.lanekeeper.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script, with a Java and a Maven that only say how they were called. */
@Timeout(60)
class LauncherTest {
    private static final Path SCRIPT =
            Path.of("..", "lanekeeper").toAbsolutePath().normalize();
    private static final String MAIN = "dev.lanekeeper.app.cli.Main";

    @TempDir
    Path folder;

    private Path home = Path.of("");
    private Path java = Path.of("");

    private record Result(int code, String out, String err, long pid) {}

    @BeforeEach
    void prepare() throws IOException {
        assumeThat(Path.of("/bin/sh")).exists();
        home = Files.createDirectories(folder.resolve("a home"));
        Files.copy(SCRIPT, home.resolve("lanekeeper"));
        executable(home.resolve("lanekeeper"));
        java = folder.resolve("java");
        fakeJava("17.0.15", true);
    }

    @Test
    void besideALibFolderItStartsWhatIsThere() throws Exception {
        Files.createDirectories(home.resolve("lib"));
        Result result = launch("demo", "--jobs", "two words", "*");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("[-cp][" + home + "/lib/*][" + MAIN + "][demo][--jobs][two words][*]")
                .contains("[-Xmx1g]")
                .doesNotContain("unsafe")
                .as("no terminal")
                .doesNotContain("columns");
    }

    @Test
    void theJvmTakesThePlaceOfTheScript() throws Exception {
        Files.createDirectories(home.resolve("lib"));
        Result result = launch("run");
        assertThat(result.out()).contains("pid " + result.pid() + "\n").contains("cwd " + folder.toRealPath() + "\n");
    }

    @Test
    void newerJavaGetsTheFlagsItNeeds() throws Exception {
        Files.createDirectories(home.resolve("lib"));
        fakeJava("25", true);
        assertThat(launch("run").out())
                .contains("[--sun-misc-unsafe-memory-access=allow][--enable-native-access=ALL-UNNAMED]");
    }

    @Test
    void optionsOfTheUserComeLast() throws Exception {
        Files.createDirectories(home.resolve("lib"));
        Result result = launch(Map.of("LANEKEEPER_JAVA_OPTS", "-Xmx4g -Dx=y"), home.resolve("lanekeeper"), "run");
        assertThat(result.out()).contains("[-Xmx1g]").contains("[-Xmx4g][-Dx=y][-cp]");
    }

    @Test
    void itFindsItsHomeThroughLinks() throws Exception {
        Files.createDirectories(home.resolve("lib"));
        Path near = Files.createSymbolicLink(folder.resolve("near"), Path.of("a home", "lanekeeper"));
        Path far = Files.createSymbolicLink(folder.resolve("far"), near);
        assertThat(launch(Map.of(), far, "run").out()).contains("[" + home + "/lib/*]");
    }

    @Test
    void oldJavaIsRefused() throws Exception {
        for (String version : List.of("11.0.2", "1.8.0_442")) {
            fakeJava(version, true);
            Result result = launch("run");
            assertThat(result.code()).isEqualTo(2);
            assertThat(result.err()).contains("it must be 17 or later").hasLineCount(1);
        }
    }

    @Test
    void aMissingJavaIsNamed() throws Exception {
        Files.delete(java.resolve("bin/java"));
        Result result = launch("run");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("JAVA_HOME is " + java + ", but there is no bin/java in it");
    }

    @Test
    void anEmptyFolderIsSaid() throws Exception {
        Result result = launch("run");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("neither sources nor a folder lib in " + home);
    }

    @Test
    void aSourceTreeIsBuiltOnceAndAgainWhenSourcesChange() throws Exception {
        Path source = sourceTree();
        Result first = launch("run");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.err()).contains("building, once");
        assertThat(first.out())
                .doesNotContain("maven")
                .contains(home + "/demo/target/*:" + home + "/demo/target/lib/*");
        assertThat(launch("run").err()).as("nothing has changed").isEmpty();

        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
        assertThat(launch("run").err()).contains("the sources have changed");
    }

    @Test
    void theBuildIsForTheJavaThatRuns() throws Exception {
        sourceTree();
        assertThat(launch("run").err()).contains("maven java " + java).contains("[package]");
    }

    @Test
    void aBuildThatFailsStartsNothingAndIsTriedAgain() throws Exception {
        sourceTree();
        script(home.resolve("mvnw"), "echo no way\nexit 1");
        for (int i = 0; i < 2; i++) {
            Result result = launch("run");
            assertThat(result.code()).isEqualTo(2);
            assertThat(result.out()).isEmpty();
            assertThat(result.err())
                    .contains("building, once")
                    .contains("no way")
                    .contains("the build failed");
        }
    }

    @Test
    void aJreCannotBuildAndSaysSo() throws Exception {
        sourceTree();
        fakeJava("17.0.15", false);
        Result result = launch("run");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("needs a JDK 17 or later").hasLineCount(1);
    }

    /** Returns one of its sources. */
    private Path sourceTree() throws IOException {
        Files.createFile(home.resolve("pom.xml"));
        Path source = home.resolve("demo/src/main/java/Some.java");
        Files.createDirectories(source.getParent());
        Files.createFile(source);
        for (Path old : List.of(home.resolve("pom.xml"), source)) {
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(60)));
        }
        script(
                home.resolve("mvnw"),
                "echo maven java \"$JAVA_HOME\"",
                "printf '[%s]' \"$@\"",
                "mkdir -p demo/target/lib");
        return source;
    }

    private void fakeJava(String version, boolean compiler) throws IOException {
        script(
                Files.createDirectories(java.resolve("bin")).resolve("java"),
                "case $1 in",
                "  -version) echo \"openjdk version \\\"" + version + "\\\" 2025-01-01\" >&2; exit;;",
                "  --list-modules) echo java.base@17; " + (compiler ? "echo jdk.compiler@17" : ":") + "; exit;;",
                "esac",
                "echo pid $$",
                "echo cwd $(pwd -P)",
                "printf '[%s]' \"$@\"");
    }

    private static void script(Path file, String... lines) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        executable(file);
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Result launch(String... arguments) throws Exception {
        return launch(Map.of(), home.resolve("lanekeeper"), arguments);
    }

    private Result launch(Map<String, String> environment, Path script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().remove("LANEKEEPER_JAVA_OPTS");
        builder.environment().put("JAVA_HOME", java.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err), process.pid());
    }
}
