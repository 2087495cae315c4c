/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.PropertiesConfiguration.JupPropertiesReader;
import org.apache.commons.configuration2.PropertiesConfiguration.PropertiesReader;
import org.apache.crail.error.ConfigurationException;

/**
 * Reads configuration files: the syntax of {@link java.util.Properties} in UTF-8, with environment variables expanded.
 * Of Commons Configuration it uses the parser only: the rest would load some hundred classes into each client.
 */
final class SiteFile {
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private SiteFile() {}

    /**
     * Reads {@code file}.
     *
     * @param warnings gets a line for each key that the file sets more than once; the last value holds
     * @throws ConfigurationException if the file cannot be read or names a variable that is not set
     */
    static Map<String, ConfigValue> read(Path file, Map<String, String> environment, List<String> warnings)
            throws ConfigurationException {
        Map<String, Line> lines = new LinkedHashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        try (PropertiesReader reader = new JupPropertiesReader(open(file))) {
            while (reader.nextProperty()) {
                String key = reader.getPropertyName();
                lines.put(key, new Line(reader.getPropertyValue(), reader.getLineNumber()));
                counts.merge(key, 1, Integer::sum);
            }
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(
                    "configuration file " + file + " does not exist; create it or name another", e);
        } catch (IOException | RuntimeException e) { // the library throws several of what it cannot parse
            throw new ConfigurationException("configuration file " + file + " cannot be read: " + e, e);
        }
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        for (Map.Entry<String, Line> entry : lines.entrySet()) {
            String key = entry.getKey();
            Line line = entry.getValue();
            if (counts.get(key) > 1) {
                warnings.add(file + " sets " + key + " " + counts.get(key)
                        + " times; the last value holds, that of line " + line.number());
            }
            String place = file + ", line " + line.number();
            String text = VariableExpansion.expand(line.value(), environment, place + ", key " + key);
            values.put(key, new ConfigValue(text.strip(), new ConfigOrigin(ConfigOrigin.Source.FILE, place)));
        }
        return values;
    }

    /** Without the mark of byte order that some editors put in front, and which would be part of the first key. */
    private static Reader open(Path file) throws IOException {
        BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
        reader.mark(1);
        if (reader.read() != BYTE_ORDER_MARK) {
            reader.reset();
        }
        return reader;
    }

    /**
     * What a file says of a key.
     *
     * @param number the line, from 1, on which the value ends
     */
    private record Line(String value, int number) {}
}
