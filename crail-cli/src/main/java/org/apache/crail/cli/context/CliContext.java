/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.console.Console;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;

/** What a command works with: the console, the options that all commands share, and the cluster. Used by one thread. */
public final class CliContext {
    private final Console console;
    private final GlobalOptions options;
    private final CrailConfiguration base;
    private final CommandRunner runner;
    private boolean debug;

    /**
     * Makes a context.
     *
     * @param base what the configuration begins with, or null for the usual file and overrides
     * @param runner runs a command within another one
     */
    public CliContext(Console console, GlobalOptions options, CrailConfiguration base, CommandRunner runner) {
        this.console = console;
        this.options = options;
        this.base = base;
        this.runner = runner;
    }

    /** Where to read and write. */
    public Console console() {
        return console;
    }

    /** Options given by the user. */
    public GlobalOptions options() {
        return options;
    }

    /** Whether failures are shown with their stacks. */
    public boolean showsStacks() {
        return options.verbose() || debug;
    }

    /**
     * The configuration that the command runs with. The store tells what in it is probably not meant; other commands
     * call {@link #warn}.
     *
     * @throws ConfigurationException naming all wrong values
     */
    public CrailConfiguration configuration() throws IOException {
        CrailConfiguration conf = rawConfiguration();
        conf.validate();
        debug = conf.get(CrailKeys.DEBUG);
        return conf;
    }

    /** Says on the console what is probably not meant. */
    public void warn(CrailConfiguration conf) {
        conf.warnings().forEach(warning -> console.error("warning: " + warning));
    }

    /** Connects to the namenodes. */
    public Namenodes connect() throws IOException {
        CrailConfiguration conf = configuration();
        warn(conf);
        return Namenodes.connect(conf);
    }

    /** The configuration, its values not looked at yet. */
    public CrailConfiguration rawConfiguration() throws IOException {
        CrailConfiguration conf = base != null && options.file() == null ? base.copy() : read();
        for (Map.Entry<String, String> override : options.overrides().entrySet()) {
            conf.set(override.getKey(), override.getValue());
        }
        return conf;
    }

    private CrailConfiguration read() throws IOException {
        return options.file() == null
                ? CrailConfiguration.createDefaultConfiguration()
                : CrailConfiguration.createConfigurationFromFile(options.file().toString());
    }

    /** Opens a store of the command's own. */
    public OpenStore openStore() throws Exception {
        return openStore(configuration());
    }

    /** Opens a store with a configuration that {@link #configuration()} gave. */
    public OpenStore openStore(CrailConfiguration conf) throws Exception {
        CrailConfiguration own = conf.copy();
        own.set(CrailKeys.SINGLETON, false);
        return new OpenStore(CrailStore.newInstance(own));
    }

    /** Runs another command in this process; returns its exit code. */
    public int run(CrailConfiguration conf, List<String> arguments) {
        return runner.run(conf, arguments);
    }
}
