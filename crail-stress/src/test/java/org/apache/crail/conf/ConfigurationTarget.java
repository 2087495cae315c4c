/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.fuzz.Limits;

/** Configuration files, and the value of each key. Stateless. */
public final class ConfigurationTarget {
    private static final Map<String, String> ENVIRONMENT = Map.of("HOME", "/home/me", "A", "$B", "B", "b");
    private static final List<ConfigKey<?>> KEYS =
            List.copyOf(ConfigCatalog.load().keys());

    private ConfigurationTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> {
            if (input.length > 0) {
                String text = new String(input, 1, input.length - 1, StandardCharsets.UTF_8);
                check(KEYS.get(Byte.toUnsignedInt(input[0]) % KEYS.size()), text);
            }
            try {
                read(input);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static <T> void check(ConfigKey<T> key, String text) {
        T value;
        try {
            value = key.parse(text);
        } catch (ConfigurationException refused) {
            return;
        }
        try {
            if (!key.parse(key.format(value)).equals(value)) {
                throw new AssertionError(key + " = " + text + " became " + key.format(value));
            }
        } catch (ConfigurationException e) {
            throw new AssertionError(key + " = " + text + " became " + key.format(value), e);
        }
    }

    private static void read(byte[] input) throws IOException {
        Path file = Files.createTempFile("fuzz", ".conf");
        try {
            Files.write(file, input);
            CrailConfiguration configuration = new CrailConfiguration(file, new Properties(), ENVIRONMENT);
            for (ConfigKey<?> key : KEYS) {
                configuration.get(key);
            }
            configuration.warnings();
            configuration.validate();
        } catch (ConfigurationException refused) {
            return;
        } finally {
            Files.delete(file);
        }
    }
}
