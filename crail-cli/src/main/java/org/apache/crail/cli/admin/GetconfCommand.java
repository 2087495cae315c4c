/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.crail.cli.console.TextTable;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.conf.ConfigCatalog;
import org.apache.crail.conf.ConfigDocs;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.ConfigTemplate;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.HostPort;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail getconf}. Used by one thread. */
@Command(
        name = "getconf",
        description = "Show configuration: effective values of some keys, one a line, or all keys with their origins.")
public final class GetconfCommand implements Callable<Integer> {
    private static final String NAMENODE = "namenode";

    private final CliContext context;

    @Option(names = "--template", description = "Print the template of crail-site.conf: every key, commented.")
    private boolean template;

    @Option(names = "--docs", description = "Print the page of documentation of all keys.")
    private boolean docs;

    @Parameters(
            paramLabel = "KEY",
            arity = "0..*",
            completionCandidates = KeyNames.class,
            description = "A key, or namenode for the hosts of the namenodes, one a line.")
    private List<String> keys = List.of();

    /** Makes the command. */
    public GetconfCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        if (template) {
            context.console().out().print(new ConfigTemplate(ConfigCatalog.load()).text());
            context.console().out().flush();
        } else if (docs) {
            context.console().out().print(new ConfigDocs(ConfigCatalog.load()).text());
            context.console().out().flush();
        } else if (keys.isEmpty()) {
            CrailConfiguration conf = context.configuration();
            context.warn(conf);
            list(conf);
        } else {
            for (String key : keys) {
                show(context.rawConfiguration(), key);
            }
        }
        return ExitCode.OK;
    }

    private void show(CrailConfiguration conf, String key) throws ConfigurationException {
        if (key.equals(NAMENODE)) {
            for (URI address : conf.get(CrailKeys.NAMENODE_ADDRESS)) {
                context.console().line(HostPort.of(address).host());
            }
        } else {
            context.console().line(value(conf, key));
        }
    }

    private void list(CrailConfiguration conf) throws ConfigurationException {
        TextTable table = new TextTable("KEY", "VALUE", "ORIGIN");
        for (ConfigKey<?> one : ConfigCatalog.load().keys()) {
            table.row(one.name(), effective(conf, one), conf.origin(one.name()));
        }
        table.print(context.console());
    }

    private static String value(CrailConfiguration conf, String name) throws ConfigurationException {
        ConfigCatalog catalog = ConfigCatalog.load();
        ConfigKey<?> declared = catalog.find(name).orElse(null);
        if (declared != null) {
            return effective(conf, declared);
        }
        String value = conf.get(name);
        if (value == null) {
            throw new ConfigurationException("no configuration key has the name " + name + "; "
                    + catalog.suggest(name)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("crail getconf lists all"));
        }
        return value;
    }

    private static <T> String effective(CrailConfiguration conf, ConfigKey<T> declared) throws ConfigurationException {
        return declared.format(conf.get(declared));
    }
}
