package dev.lanekeeper.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerSettingsTest {
    @Test
    void eachChangeLeavesTheRest(@TempDir Path folder) {
        BrokerSettings settings = BrokerSettings.DEFAULTS
                .onPort(9092)
                .keptIn(folder)
                .with("a", "1")
                .with("b", "2");
        assertThat(settings).isEqualTo(new BrokerSettings(9092, folder, Map.of("a", "1", "b", "2")));
        assertThat(BrokerSettings.DEFAULTS).isEqualTo(new BrokerSettings(0, null, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void aPortThatCannotBeIsNamed(int port) {
        assertThatThrownBy(() -> BrokerSettings.DEFAULTS.onPort(port))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("port must be from 0")
                .hasMessageEndingWith(": " + port);
    }

    @Test
    void aFileIsNoFolder(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> BrokerSettings.DEFAULTS.keptIn(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString());
    }
}
