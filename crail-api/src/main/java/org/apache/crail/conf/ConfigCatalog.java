/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.Spelling;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All keys that the modules on the class path declare. Immutable and thread safe. */
public final class ConfigCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigCatalog.class);

    private final Map<String, ConfigKey<?>> keys;
    private final List<ConfigKeys> modules;

    private ConfigCatalog(List<ConfigKeys> modules) {
        Map<String, ConfigKey<?>> byName = new LinkedHashMap<>();
        for (ConfigKeys module : modules) {
            for (ConfigKey<?> key : module.keys()) {
                ConfigKey<?> other = byName.putIfAbsent(key.name(), key);
                if (other != null && other != key) {
                    throw new IllegalStateException(
                            "configuration key " + key.name() + " is declared twice, the second time by " + module);
                }
            }
        }
        this.keys = Collections.unmodifiableMap(byName);
        this.modules = List.copyOf(modules);
    }

    /** Collects the keys of the modules that the class loader of this class and that of the calling thread see. */
    public static ConfigCatalog load() {
        Map<String, ConfigKeys> found = new TreeMap<>();
        ClassLoader own = ConfigCatalog.class.getClassLoader();
        ServiceLoader.load(ConfigKeys.class, own)
                .forEach(module -> found.put(module.getClass().getName(), module));
        addFrom(Thread.currentThread().getContextClassLoader(), found);
        List<ConfigKeys> modules = new ArrayList<>(found.values());
        ConfigKeys general = found.get(CrailKeyList.class.getName());
        if (general != null) {
            modules.remove(general);
            modules.add(0, general);
        }
        return new ConfigCatalog(modules);
    }

    /**
     * Adds what a class loader sees besides; one that has classes of Crail of its own sees nothing that counts here.
     */
    private static void addFrom(ClassLoader loader, Map<String, ConfigKeys> found) {
        if (loader == null || loader == ConfigCatalog.class.getClassLoader()) {
            return;
        }
        try {
            ServiceLoader.load(ConfigKeys.class, loader).stream()
                    .filter(provider -> !found.containsKey(provider.type().getName()))
                    .forEach(provider -> found.put(provider.type().getName(), provider.get()));
        } catch (ServiceConfigurationError e) {
            LOG.debug("the keys that class loader {} knows are left out", loader, e);
        }
    }

    /** A catalogue of the given modules only. */
    static ConfigCatalog of(ConfigKeys... modules) {
        return new ConfigCatalog(List.of(modules));
    }

    /** Every key, in the order of documentation: general keys first, then module by module. */
    public Collection<ConfigKey<?>> keys() {
        return keys.values();
    }

    /** The keys by the heading that they are documented under. */
    public Map<String, List<ConfigKey<?>>> groups() {
        Map<String, List<ConfigKey<?>>> groups = new LinkedHashMap<>();
        for (ConfigKey<?> key : keys.values()) {
            groups.computeIfAbsent(key.group(), group -> new ArrayList<>()).add(key);
        }
        return groups;
    }

    /** The key with a name. */
    public Optional<ConfigKey<?>> find(String name) {
        return Optional.ofNullable(keys.get(name));
    }

    /** The declared name nearest to {@code name}, if one is near enough to have been meant. */
    public Optional<String> suggest(String name) {
        return Spelling.nearest(name, keys.keySet());
    }

    /** Lets every module check that the values of its keys fit each other. */
    void verify(CrailConfiguration conf) throws ConfigurationException {
        for (ConfigKeys module : modules) {
            module.verify(conf);
        }
    }
}
