/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.crail.internal.Spelling;

/** What system properties and environment variables say about configuration keys. */
final class ConfigOverrides {
    private static final String PROPERTY_PREFIX = "crail.";
    private static final String VARIABLE_PREFIX = "CRAIL_";

    private ConfigOverrides() {}

    /** The system properties that begin with {@code crail.}. */
    static Map<String, ConfigValue> of(Properties properties) {
        Map<String, ConfigValue> values = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PROPERTY_PREFIX)) {
                ConfigOrigin origin = new ConfigOrigin(ConfigOrigin.Source.SYSTEM_PROPERTY, "");
                values.put(name, new ConfigValue(properties.getProperty(name).strip(), origin));
            }
        }
        return values;
    }

    /**
     * The environment variables that belong to a declared key. Others are none of ours (CRAIL_HOME, what Kubernetes
     * sets for a service of that name); only near misses get a line in {@code warnings}.
     */
    static Map<String, ConfigValue> of(Map<String, String> environment, ConfigCatalog catalog, List<String> warnings) {
        Map<String, ConfigValue> values = new HashMap<>();
        for (ConfigKey<?> key : catalog.keys()) {
            String text = environment.get(key.environmentName());
            if (text != null) {
                ConfigOrigin origin = new ConfigOrigin(ConfigOrigin.Source.ENVIRONMENT, key.environmentName());
                values.put(key.name(), new ConfigValue(text.strip(), origin));
            }
        }
        Set<String> known =
                catalog.keys().stream().map(ConfigKey::environmentName).collect(Collectors.toUnmodifiableSet());
        environment.keySet().stream()
                .filter(name -> name.startsWith(VARIABLE_PREFIX) && !known.contains(name))
                .sorted()
                .forEach(name -> nearMiss(name, known).ifPresent(warnings::add));
        return values;
    }

    private static Optional<String> nearMiss(String name, Set<String> known) {
        return Spelling.nearest(name, known)
                .map(near -> "unknown environment variable " + name + " is ignored; did you mean " + near + "?");
    }
}
