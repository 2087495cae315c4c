/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.cli.admin.VersionCommand;
import org.apache.crail.conf.ConfigCatalog;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server says of itself before it starts. Stateless. */
final class Banner {
    private static final Logger LOG = LoggerFactory.getLogger(Banner.class);

    private Banner() {}

    /** Logs versions, the process and the settings. */
    static void log(String server, CrailConfiguration conf) throws ConfigurationException {
        LOG.info(
                "{} of Crail {} as pid {} of {}; Java {} in {}, heap of at most {} MiB",
                server,
                VersionCommand.version(),
                ProcessHandle.current().pid(),
                System.getProperty("user.name"),
                Runtime.version(),
                System.getProperty("java.home"),
                Runtime.getRuntime().maxMemory() >> 20);
        List<String> settings = settings(conf);
        LOG.info("settings: {}", settings.isEmpty() ? "all as by default" : String.join(", ", settings));
    }

    /** The keys whose values differ from their defaults, with where that was set. */
    static List<String> settings(CrailConfiguration conf) throws ConfigurationException {
        List<String> settings = new ArrayList<>();
        CrailConfiguration defaults = CrailConfiguration.createEmptyConfiguration();
        for (ConfigKey<?> key : ConfigCatalog.load().keys()) {
            String value = text(conf, key);
            if (conf.isSet(key) && !value.equals(text(defaults, key))) {
                settings.add(key.name() + " = " + value + " (" + conf.origin(key.name()) + ")");
            }
        }
        return settings;
    }

    private static <T> String text(CrailConfiguration conf, ConfigKey<T> key) throws ConfigurationException {
        return key.format(conf.get(key));
    }
}
