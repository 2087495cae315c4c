/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;

/**
 * The options of a datanode's tier, which override the configuration: each is a letter, or a word, that stands for a
 * key; a letter's value may follow it at once. A letter of a key that is true or false has no value and means true.
 * Immutable.
 */
public final class TierOptions {
    private static final int NAME_LENGTH = 2;

    private final String tier;
    private final Map<String, ConfigKey<?>> keys;
    private final String usage;

    /**
     * Declares options.
     *
     * @param tier short name of the tier
     * @param keys by option, e.g. "-p"
     * @param usage all options and what they mean, for messages
     */
    public TierOptions(String tier, Map<String, ConfigKey<?>> keys, String usage) {
        this.tier = tier;
        this.keys = Map.copyOf(keys);
        this.usage = usage;
    }

    /** A copy of the configuration in which the options are set. */
    public CrailConfiguration apply(CrailConfiguration configuration, List<String> options)
            throws ConfigurationException {
        CrailConfiguration conf = configuration.copy();
        for (Iterator<String> it = options.iterator(); it.hasNext(); ) {
            String option = it.next();
            String name =
                    keys.containsKey(option) ? option : option.substring(0, Math.min(NAME_LENGTH, option.length()));
            ConfigKey<?> key = keys.get(name);
            if (key == null || (isFlag(key) && option.length() > name.length())) {
                throw new ConfigurationException(
                        "unknown option \"" + option + "\" of the " + tier + " tier; it has " + usage);
            }
            apply(conf, name, key, isFlag(key) ? "true" : value(option, name, key, it));
        }
        return conf;
    }

    private static boolean isFlag(ConfigKey<?> key) {
        return key.defaultValue() instanceof Boolean;
    }

    private String value(String option, String name, ConfigKey<?> key, Iterator<String> rest)
            throws ConfigurationException {
        if (option.length() > name.length()) {
            return option.substring(name.length());
        }
        if (!rest.hasNext()) {
            throw new ConfigurationException("option " + name + " of the " + tier + " tier has no value; it sets " + key
                    + ", which must be " + key.allowed());
        }
        return rest.next();
    }

    private void apply(CrailConfiguration conf, String option, ConfigKey<?> key, String value)
            throws ConfigurationException {
        try {
            key.parse(value);
        } catch (ConfigurationException e) {
            throw new ConfigurationException("option " + option + " of the " + tier + " tier: " + e.getMessage(), e);
        }
        conf.set(key.name(), value);
    }
}
