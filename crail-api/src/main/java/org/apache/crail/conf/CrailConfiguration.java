/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.error.ConfigurationException;

/**
 * The values that one store, namenode or datanode runs with. Two stores with different configurations work side by side
 * in one JVM. A value comes from, weakest first: the key's declared default, a file in the syntax of {@link
 * java.util.Properties}, a system property of the key's name, an environment variable ({@code CRAIL_STORAGE_TCP_PORT}
 * for {@code crail.storage.tcp.port}; declared keys only), and {@link #set}. Files may refer to environment variables
 * as {@code $VAR} or <code>${VAR}</code>. System properties and environment are read once, when the configuration is
 * made. All methods are thread safe.
 */
public class CrailConfiguration {
    private static final String PREFIX = "crail.";
    private static final String HOME = "CRAIL_HOME";
    private static final String SITE_FILE = "conf/crail-site.conf";

    private final Map<String, ConfigValue> values;
    private final List<String> fileWarnings;

    /**
     * As {@link #createConfigurationFromFile()}; for programs written for Crail 1.1.
     *
     * @throws IllegalArgumentException if the environment variable CRAIL_HOME is not set
     * @throws IOException if the file cannot be read or refers to a variable that is not set
     */
    public CrailConfiguration() throws IOException {
        this(siteFile(System.getenv()), System.getProperties(), System.getenv());
    }

    private CrailConfiguration(Map<String, ConfigValue> values, List<String> fileWarnings) {
        this.values = new ConcurrentHashMap<>(values);
        this.fileWarnings = List.copyOf(fileWarnings);
    }

    /** Reads {@code file}, unless it is null, and the overrides. */
    CrailConfiguration(Path file, Properties properties, Map<String, String> environment)
            throws ConfigurationException {
        List<String> warnings = new ArrayList<>();
        this.values = new ConcurrentHashMap<>();
        if (file != null) {
            values.putAll(SiteFile.read(file, environment, warnings));
        }
        values.putAll(ConfigOverrides.of(properties));
        values.putAll(ConfigOverrides.of(environment, ConfigCatalog.load(), warnings));
        this.fileWarnings = List.copyOf(warnings);
    }

    /** A configuration of defaults only: no file, no system properties and no environment variables are looked at. */
    public static CrailConfiguration createEmptyConfiguration() {
        return new CrailConfiguration(Map.of(), List.of());
    }

    /**
     * Reads {@code $CRAIL_HOME/conf/crail-site.conf} and the overrides.
     *
     * @throws IllegalArgumentException if the environment variable CRAIL_HOME is not set
     * @throws IOException if the file cannot be read or refers to a variable that is not set
     */
    public static CrailConfiguration createConfigurationFromFile() throws IOException {
        return new CrailConfiguration();
    }

    /**
     * Reads a file and the overrides.
     *
     * @throws IOException if the file cannot be read or refers to a variable that is not set
     */
    public static CrailConfiguration createConfigurationFromFile(String path) throws IOException {
        return new CrailConfiguration(Path.of(path), System.getProperties(), System.getenv());
    }

    /**
     * Reads {@code $CRAIL_HOME/conf/crail-site.conf} if there is one, and the overrides; for programs that can also run
     * on defaults.
     *
     * @throws IOException if the file cannot be read or refers to a variable that is not set
     */
    public static CrailConfiguration createDefaultConfiguration() throws IOException {
        return defaultConfiguration(System.getProperties(), System.getenv());
    }

    static CrailConfiguration defaultConfiguration(Properties properties, Map<String, String> environment)
            throws ConfigurationException {
        boolean hasHome = !environment.getOrDefault(HOME, "").isBlank();
        Path file = hasHome ? siteFile(environment) : null;
        if (file != null && !Files.isDirectory(Path.of(environment.get(HOME)))) {
            throw new ConfigurationException("environment variable " + HOME + " is " + environment.get(HOME)
                    + ", which is no directory; let it name the directory that holds " + SITE_FILE + ", or unset it");
        }
        return new CrailConfiguration(file != null && Files.exists(file) ? file : null, properties, environment);
    }

    static Path siteFile(Map<String, String> environment) {
        String home = environment.get(HOME);
        if (home == null || home.isBlank()) {
            throw new IllegalArgumentException("environment variable " + HOME + " is not set; it names the directory "
                    + "that holds " + SITE_FILE);
        }
        return Path.of(home, SITE_FILE);
    }

    /**
     * The value of a declared key: typed, valid, the default if the key is not set.
     *
     * @throws ConfigurationException if the value is ill-typed or out of range; names the key, the value, where it was
     *     set and what would be right
     */
    public <T> T get(ConfigKey<T> key) throws ConfigurationException {
        ConfigValue value = values.get(key.name());
        if (value != null) {
            return key.parse(value.text(), " (" + value.origin() + ")");
        }
        return key.defaultKey() != null ? get(key.defaultKey()) : key.defaultValue();
    }

    /** The value of a key as it was set, or null if it is not set; defaults are not considered. */
    public String get(String key) {
        ConfigValue value = values.get(key);
        return value == null ? null : value.text();
    }

    /** Sets a key, overriding every other source; null makes the key unset. The value is checked when it is read. */
    public void set(String key, String value) {
        if (value == null) {
            values.remove(key);
        } else {
            values.put(key, new ConfigValue(value, ConfigOrigin.PROGRAM));
        }
    }

    /** Sets a declared key, overriding every other source. */
    public <T> void set(ConfigKey<T> key, T value) {
        set(key.name(), key.format(value));
    }

    /**
     * The value of a key that holds true or false.
     *
     * @throws IllegalArgumentException if the value is neither
     */
    public boolean getBoolean(String key, boolean defaultValue) {
        ConfigValue value = values.get(key);
        if (value == null) {
            return defaultValue;
        }
        try {
            return ConfigTypes.BOOLEAN.parse(value.text().strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    key + " = \"" + value.text() + "\" (" + value.origin() + "): the value must be true or false", e);
        }
    }

    /** Sets a key to a number, overriding every other source. */
    public void setInt(String key, int value) {
        set(key, Integer.toString(value));
    }

    /** Whether the key has a value besides its default. */
    public boolean isSet(ConfigKey<?> key) {
        return values.containsKey(key.name());
    }

    /** Where the value of a key comes from. */
    public ConfigOrigin origin(String key) {
        ConfigValue value = values.get(key);
        return value == null ? ConfigOrigin.DEFAULT : value.origin();
    }

    /** A copy of what is set, by key; defaults are not included. */
    public SortedMap<String, String> asMap() {
        SortedMap<String, String> map = new TreeMap<>();
        values.forEach((key, value) -> map.put(key, value.text()));
        return map;
    }

    /** An independent copy. */
    public CrailConfiguration copy() {
        return new CrailConfiguration(values, fileWarnings);
    }

    /**
     * What is probably not meant, one sentence each: keys that no module declares, with the name that was probably
     * meant, and keys that a file sets more than once. Empty if all is well.
     */
    public List<String> warnings() {
        ConfigCatalog catalog = ConfigCatalog.load();
        List<String> warnings = new ArrayList<>(fileWarnings);
        new TreeMap<>(values).forEach((key, value) -> {
            boolean isMeantForCrail = key.startsWith(PREFIX) || value.origin().source() == ConfigOrigin.Source.FILE;
            if (isMeantForCrail && catalog.find(key).isEmpty()) {
                warnings.add("unknown configuration key " + key + " (" + value.origin() + ") has no effect on Crail; "
                        + catalog.suggest(key)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("no module on the class path declares it"));
            }
        });
        return warnings;
    }

    /**
     * Checks every declared key that is set, and that the values fit each other.
     *
     * @throws ConfigurationException naming all keys with a wrong value
     */
    public void validate() throws ConfigurationException {
        ConfigCatalog catalog = ConfigCatalog.load();
        List<String> problems = new ArrayList<>();
        for (ConfigKey<?> key : catalog.keys()) {
            problem(key).ifPresent(problems::add);
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(String.join("; ", problems));
        }
        catalog.verify(this);
    }

    private Optional<String> problem(ConfigKey<?> key) {
        try {
            Object ignored = isSet(key) ? get(key) : null;
            return Optional.empty();
        } catch (ConfigurationException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** The values that are set, by key. */
    @Override
    public String toString() {
        return asMap().toString();
    }
}
