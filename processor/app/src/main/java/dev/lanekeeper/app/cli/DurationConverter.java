package dev.lanekeeper.app.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as people write them, {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, or in ISO 8601. Stateless. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms",
            Duration.ofMillis(1),
            "s",
            Duration.ofSeconds(1),
            "m",
            Duration.ofMinutes(1),
            "h",
            Duration.ofHours(1));

    @Override
    public Duration convert(String value) {
        Matcher matcher = SHORT.matcher(value.toLowerCase(Locale.ROOT));
        if (matcher.matches()) {
            Duration unit = UNITS.getOrDefault(matcher.group(2), Duration.ZERO);
            return unit.multipliedBy(Long.parseLong(matcher.group(1)));
        }
        try {
            return Duration.parse(value);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("\"" + value + "\" is no duration; use 500ms, 5s, 2m, 1h or PT5S");
        }
    }
}
