package dev.lanekeeper.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
    private final DurationConverter converter = new DurationConverter();

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "5s, PT5S", "5S, PT5S", "2m, PT2M", "1h, PT1H", "PT1M30S, PT1M30S", "0s, PT0S"})
    void readsWhatPeopleWrite(String text, Duration expected) {
        assertThat(converter.convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "5 s", "5d", "9999999999s"})
    void refusesTheRest(String text) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> converter.convert(text))
                .withMessageContaining("\"" + text + "\"");
    }
}
