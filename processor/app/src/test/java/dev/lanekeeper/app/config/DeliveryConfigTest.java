package dev.lanekeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** How often what is sent for a job is seen, and what does not go together with it. */
class DeliveryConfigTest {
    private static LanekeeperConfig load(Map<String, String> overrides) {
        return LanekeeperConfig.load(Map.of("kafka.bootstrap.servers", "localhost:9092"), Map.of(), overrides);
    }

    @Test
    void deliveryIsAtLeastOnceUnlessAskedOtherwise() {
        assertThat(load(Map.of()).exactlyOnce()).isFalse();
        assertThat(load(Map.of("lanekeeper.delivery", "exactly-once")).exactlyOnce())
                .isTrue();
    }

    @Test
    void exactlyOnceParksNobody() {
        Map<String, String> both = Map.of("lanekeeper.delivery", "exactly-once", "lanekeeper.on.failure", "park-key");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> load(both))
                .withMessageContaining("lanekeeper.on.failure: \"park-key\" is not allowed")
                .withMessageContaining(
                        "use skip-to-dead-letters or stop-partition with lanekeeper.delivery exactly-once");
        assertThat(load(Map.of("lanekeeper.delivery", "exactly-once", "lanekeeper.on.failure", "stop-partition"))
                        .exactlyOnce())
                .isTrue();
    }
}
