package dev.lanekeeper.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BrokerChoiceTest {
    @Test
    void aNamedBrokerIsTakenBeforeAllOthers() {
        try (TestBroker broker = BrokerChoice.choose(" kafka-1:9092 ", "embedded")) {
            assertThat(broker).isEqualTo(new TestBroker.Outside("kafka-1:9092"));
            assertThat(broker.description()).contains("kafka.bootstrap.servers");
        }
    }

    @Test
    void anUnknownKindIsNamedWithWhatIsAllowed() {
        assertThatThrownBy(() -> BrokerChoice.choose("", "cloud"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lanekeeper.test.broker")
                .hasMessageContaining("auto, embedded or container: cloud");
    }
}
