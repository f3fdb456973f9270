package dev.lanekeeper.demo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between rooms. To allow a new one, write it down here: that makes it a decision somebody can see. */
class ArchitectureTest {
    private static final String ROOT = "dev.lanekeeper";
    private static final String PLANTED = "dev.lanekeeper.demo.planted";
    private static final String KAFKA = "org.apache.kafka..";
    private static final String LOG = "org.slf4j..";
    private static final String JSON = "com.fasterxml.jackson..";
    private static final String COMMAND_LINE = "picocli..";
    private static final String LOGBACK = "ch.qos.logback..";

    /** Each package, and what it may know beside itself, the JDK and nullness annotations. */
    private static final Map<String, List<String>> ROOMS = Map.ofEntries(
            entry("lanes", List.of()),
            entry("flight", List.of()),
            entry("engine", List.of(KAFKA, LOG, own("lanes"), own("engine.*"))),
            entry("engine.offset", List.of()),
            entry("engine.handler", List.of(KAFKA)),
            entry("engine.intake", List.of(KAFKA, LOG, own("engine.offset"), own("engine.result"))),
            entry("engine.parking", List.of(KAFKA)),
            entry("engine.testing", List.of(KAFKA, own("engine.handler"))),
            entry("engine.result", List.of(KAFKA, LOG)),
            entry("message", List.of(JSON)),
            entry("streams", List.of(KAFKA, LOG, JSON, own("message"))),
            entry("testkit", List.of(LOG, "org.junit.jupiter.api..", "org.opentest4j..")),
            entry("testkit.model", List.of()),
            entry("testkit.process", List.of("org.junit.jupiter.api..")),
            entry("testkit.network", List.of()),
            entry(
                    "testkit.broker",
                    List.of(
                            KAFKA,
                            LOG,
                            "org.junit.jupiter.api..",
                            "kafka..",
                            "scala..",
                            "org.testcontainers..",
                            own("testkit.network"),
                            own("testkit.process"))),
            entry("app", List.of(KAFKA, LOG, own("engine"), own("message"), own("app.config"), own("app.handlers"))),
            entry("app.config", List.of(KAFKA, "org.apache.commons.text..", own("engine.handler"))),
            entry("app.handlers", List.of(KAFKA, LOG, JSON, own("app.config"), own("engine.handler"), own("message"))),
            entry("app.topics", List.of(KAFKA, own("app.config"))),
            entry(
                    "app.cli",
                    List.of(
                            KAFKA,
                            LOG,
                            LOGBACK,
                            JSON,
                            COMMAND_LINE,
                            own("app"),
                            own("app.*"),
                            own("engine"),
                            own("streams"))),
            entry("simulator", List.of(KAFKA, JSON, own("simulator.workload"), own("simulator.progress"))),
            entry("simulator.workload", List.of(JSON, own("message"))),
            entry("simulator.progress", List.of("me.tongfei.progressbar..")),
            entry(
                    "simulator.cli",
                    List.of(
                            KAFKA,
                            COMMAND_LINE,
                            own("simulator"),
                            own("simulator.*"),
                            own("app.cli"),
                            own("app.config"))),
            entry("demo", List.of("*..")),
            entry("demo.report", List.of("org.HdrHistogram..", own("message"), own("simulator"), own("streams"))));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    private static String own(String room) {
        return ROOT + "." + room;
    }

    static Stream<String> rooms() {
        return ROOMS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomKnowsOnlyWhatItMay(String room) {
        mayOnlyKnow(own(room), ROOMS.getOrDefault(room, List.of())).check(CLASSES);
    }

    @Test
    void everyPackageHasItsLine() {
        assertThat(CLASSES.stream()
                        .map(JavaClass::getPackageName)
                        .distinct()
                        .map(name -> name.substring(ROOT.length() + 1))
                        .collect(Collectors.toSet()))
                .isSubsetOf(ROOMS.keySet());
    }

    @Test
    void nothingKnowsTheDemo() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".demo..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + ".demo..")
                .check(CLASSES);
    }

    @Test
    void packagesFormNoCircle() {
        noCycles(ROOT).check(CLASSES);
    }

    @Test
    void theRulesFindWhatIsPlanted() {
        JavaClasses planted = new ClassFileImporter().importPackages(PLANTED);
        assertThat(violations(mayOnlyKnow(PLANTED + ".lanes", List.of()), planted))
                .anyMatch(text -> text.contains("Talkative") && text.contains("org.slf4j.Logger"));
        assertThat(violations(mayOnlyKnow(PLANTED + ".intake", List.of()), planted))
                .anyMatch(text -> text.contains("Nosy") && text.contains("Talkative"));
        assertThat(violations(noCycles(PLANTED), planted)).hasSize(1);
        assertThat(violations(mayOnlyKnow(PLANTED + ".intake", List.of(PLANTED + ".lanes")), planted))
                .isEmpty();
    }

    private static ArchRule mayOnlyKnow(String room, List<String> others) {
        List<String> allowed = new ArrayList<>(others);
        allowed.addAll(List.of(room, "java..", "org.jspecify.annotations"));
        return classes()
                .that()
                .resideInAPackage(room)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(String[]::new))
                .allowEmptyShould(true);
    }

    private static ArchRule noCycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    private static List<String> violations(ArchRule rule, JavaClasses classes) {
        return rule.evaluate(classes).getFailureReport().getDetails();
    }
}
