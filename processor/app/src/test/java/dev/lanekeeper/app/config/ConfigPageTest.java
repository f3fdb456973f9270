package dev.lanekeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConfigPageTest {
    @Test
    void committedPageIsTheGeneratedOne() throws IOException {
        Path page = Path.of("..", "..", "docs", "configuration.md");
        assertThat(Files.readString(page))
                .as("docs/configuration.md; make it again with: ./lanekeeper config --markdown > docs/configuration.md")
                .isEqualTo(ConfigPage.markdown());
    }

    @Test
    void everyKeyIsDeclaredAndOnBothPages() {
        Set<String> keys = Arrays.stream(Keys.class.getFields())
                .map(ConfigPageTest::valueOf)
                .collect(Collectors.toSet());
        keys.remove(Keys.BOOTSTRAP_SERVERS);

        assertThat(Definition.create().names()).isEqualTo(keys);
        assertThat(keys).allSatisfy(key -> {
            assertThat(ConfigPage.text()).contains(key + System.lineSeparator());
            assertThat(ConfigPage.markdown()).contains("| `" + key + "` |");
        });
    }

    @Test
    void everyKeySaysWhatItDoesInSentences() {
        assertThat(Definition.create().configKeys().values())
                .allSatisfy(key -> assertThat(key.documentation).endsWith(".").doesNotContain("\n"));
    }

    private static String valueOf(Field field) {
        try {
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
