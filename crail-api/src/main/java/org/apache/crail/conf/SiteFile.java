/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.PropertiesConfiguration;
import org.apache.crail.error.ConfigurationException;

/**
 * Reads configuration files: the syntax of {@link java.util.Properties} in UTF-8, with environment variables expanded.
 */
final class SiteFile {
    private SiteFile() {}

    /**
     * Reads {@code file}.
     *
     * @param warnings gets a line for each key that the file sets more than once; the last value holds
     * @throws ConfigurationException if the file cannot be read or names a variable that is not set
     */
    static Map<String, ConfigValue> read(Path file, Map<String, String> environment, List<String> warnings)
            throws ConfigurationException {
        PropertiesConfiguration properties = new PropertiesConfiguration();
        LineNumbers lines = new LineNumbers();
        properties.setIOFactory(lines);
        properties.setIncludesAllowed(false);
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.read(reader);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(
                    "configuration file " + file + " does not exist; create it or name another", e);
        } catch (IOException
                | org.apache.commons.configuration2.ex.ConfigurationException
                | RuntimeException e) { // the library throws several of what it cannot parse
            throw new ConfigurationException("configuration file " + file + " cannot be read: " + e, e);
        }
        return values(file, properties, lines, environment, warnings);
    }

    private static Map<String, ConfigValue> values(
            Path file,
            PropertiesConfiguration properties,
            LineNumbers lines,
            Map<String, String> environment,
            List<String> warnings)
            throws ConfigurationException {
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        for (Iterator<String> keys = properties.getKeys(); keys.hasNext(); ) {
            String key = keys.next();
            String place = file + ", line " + lines.of(key);
            Object raw = properties.getProperty(key);
            if (raw instanceof List<?> several) {
                warnings.add(file + " sets " + key + " " + several.size()
                        + " times; the last value holds, that of line " + lines.of(key));
                raw = several.get(several.size() - 1);
            }
            String text = VariableExpansion.expand(String.valueOf(raw), environment, place + ", key " + key);
            values.put(key, new ConfigValue(text.strip(), new ConfigOrigin(ConfigOrigin.Source.FILE, place)));
        }
        return values;
    }
}
