/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            Map<String, ConfigValue> values = SiteFile.read(file, ENVIRONMENT, new ArrayList<>());
            for (ConfigKey<?> key : KEYS) {
                if (values.containsKey(key.name())) {
                    check(key, values.get(key.name()).text());
                }
            }
        } catch (ConfigurationException refused) {
            return;
        } finally {
            Files.delete(file);
        }
    }
}
