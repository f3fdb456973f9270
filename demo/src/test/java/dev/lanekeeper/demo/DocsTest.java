package dev.lanekeeper.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.lanekeeper.app.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That what the pages say is there: snippets compile, commands are understood, links and named tests exist. */
class DocsTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("class (\\w+)");
    private static final Pattern COMMAND = Pattern.compile("\\./lanekeeper ([a-z][^`\n]*)");
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#]+)");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))`");

    /** As {@code `SomeTest.itsMethod`}, with an ellipsis if the name is cut short. */
    private static final Pattern METHOD = Pattern.compile("`(?:\\w+\\.)?([A-Z]\\w*(?:Test|IT))\\.(\\w+)(…?)`");

    private static final Pattern EDGE_CASE = Pattern.compile("(?m)^\\| (\\d+) \\|.*\\| ([^|]*) \\|$");

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY, 3)) {
            return files
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList()
                    .stream();
        }
    }

    static Stream<String> readmeCommands() throws IOException {
        return matches(COMMAND, REPOSITORY.resolve("README.md"))
                .map(match -> match.group(1).strip());
    }

    static Stream<Path> pagesWithSnippets() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path page : pages().toList()) {
            if (matches(SNIPPET, page).findAny().isPresent()) {
                found.add(page);
            }
        }
        return found.stream();
    }

    @Test
    void thereAreSnippets() throws IOException {
        assertThat(pagesWithSnippets().map(REPOSITORY::relativize).map(Path::toString))
                .contains("README.md", "docs/library.md");
    }

    @ParameterizedTest
    @MethodSource("pagesWithSnippets")
    void snippetsCompile(Path page, @TempDir Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-proc:none", "-d", folder.toString()));
        arguments.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        Set<String> names = new TreeSet<>();
        for (MatchResult snippet : matches(SNIPPET, page).toList()) {
            String name = className(snippet.group(1));
            assertThat(names.add(name)).as(name + " is one snippet only").isTrue();
            Path source = folder.resolve(name + ".java");
            arguments.add(Files.writeString(source, snippet.group(1)).toString());
        }
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments.toArray(String[]::new));
        assertThat(code).as(messages.toString(UTF_8)).isZero();
    }

    private static String className(String snippet) {
        return CLASS.matcher(snippet).results().findFirst().orElseThrow().group(1);
    }

    @ParameterizedTest
    @MethodSource("readmeCommands")
    void commandsAreUnderstood(String command) {
        String arguments = command.replace("COMMAND ", "");
        assertThatCode(() -> Main.commandLine().parseArgs(arguments.split(" ", -1)))
                .as(command)
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Path page) throws IOException {
        assertThat(matches(LINK, page).map(match -> page.resolveSibling(match.group(1))))
                .allSatisfy(target -> assertThat(target).as(page.toString()).exists());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void namedTestsExist(Path page) throws IOException {
        Set<String> named =
                matches(TEST, page).map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(testClasses()).as(page.toString()).containsAll(named);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void namedMethodsExist(Path page) throws IOException {
        for (MatchResult named : matches(METHOD, page).toList()) {
            String end = named.group(3).isEmpty() ? "(" : "";
            assertThat(source(named.group(1)))
                    .as("%s of %s", named.group(), page)
                    .contains(" void " + named.group(2) + end);
        }
    }

    @Test
    void everyEdgeCaseNamesATestOrSaysWhyNot() throws IOException {
        List<MatchResult> rows =
                matches(EDGE_CASE, REPOSITORY.resolve("docs/edge-cases.md")).toList();
        assertThat(rows.stream().map(row -> Integer.parseInt(row.group(1))))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 60).boxed().toList());
        assertThat(rows).allSatisfy(row -> assertThat(row.group(2)).containsPattern("`[A-Z]\\w+(Test|IT)|later|not "));
    }

    @Test
    void theGuaranteesNameTheirTests() throws IOException {
        String page = Files.readString(REPOSITORY.resolve("docs/guarantees.md"));
        for (String promise : page.split("\n## ", -1)) {
            if (promise.matches("(?s)\\d+\\. .*")) {
                assertThat(promise).as(promise.lines().findFirst().orElse("")).contains("*Tests.* `");
            }
        }
    }

    /** A row has three cells, but for those that only head a group. */
    @Test
    void eachFailureNamesItsTestOrSaysThatItHasNone() throws IOException {
        String page = Files.readString(REPOSITORY.resolve("docs/guarantees.md"));
        List<String> rows = page.substring(page.indexOf("\n## What happens when"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| **") && !line.startsWith("| When |"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(20).allSatisfy(row -> {
            String[] cells = row.split("\\|", -1);
            assertThat(cells).as(row).hasSize(5);
            assertThat(cells[3].contains("not tested") || TEST.matcher(cells[3]).find())
                    .as(row)
                    .isTrue();
        });
    }

    private static Set<String> testClasses() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            return files.map(Path::toString)
                    .filter(file -> file.contains("/src/test/java/") && file.endsWith(".java"))
                    .map(file -> file.substring(file.lastIndexOf('/') + 1).replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }

    private static String source(String testClass) throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            Path file = files.filter(each -> each.endsWith(testClass + ".java"))
                    .filter(each -> !each.toString().contains("/target/"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + testClass));
            return Files.readString(file);
        }
    }

    private static Stream<MatchResult> matches(Pattern pattern, Path page) throws IOException {
        return pattern.matcher(Files.readString(page)).results();
    }
}
