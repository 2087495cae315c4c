/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.crail.cli.console.Console;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;

/** What a command works with: the console, the options that all commands share, and the cluster. Used by one thread. */
public final class CliContext {
    private final Console console;
    private final GlobalOptions options;
    private final CrailConfiguration base;
    private final Stores shared;
    private final CommandRunner runner;
    private boolean debug;

    /**
     * Makes a context.
     *
     * @param base what the configuration begins with, or null for the usual file and overrides
     * @param shared stores of commands before and after this one; null if there are none
     * @param runner runs a command within another one
     */
    public CliContext(
            Console console, GlobalOptions options, CrailConfiguration base, Stores shared, CommandRunner runner) {
        this.console = console;
        this.options = options;
        this.base = base;
        this.shared = shared;
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

    /** What to say if the configuration comes from no file: the usual one is not there, or sets nothing. */
    public Optional<String> missingSiteFile() throws IOException {
        String home = System.getenv("CRAIL_HOME");
        if (base != null || options.file() != null || home == null) {
            return Optional.empty();
        }
        Path file = Path.of(home, "conf", "crail-site.conf");
        if (!Files.exists(file)) {
            return Optional.of(file + " is not there; what environment and options do not set is as by default");
        }
        boolean isEmpty = Files.readAllLines(file).stream()
                .allMatch(line -> line.isBlank() || line.strip().startsWith("#"));
        return isEmpty
                ? Optional.of(file + " sets no key; all are as by default, but for environment and options")
                : Optional.empty();
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
        return OpenStore.open(conf);
    }

    /** The stores of this command, which closes them. */
    public Stores stores() {
        return shared == null ? new Stores() : shared.borrow();
    }

    /** Tells what is wrong with the words of another command; returns the exit code, 0 if they are right. */
    public int check(List<String> arguments) {
        return runner.check(arguments);
    }

    /** Runs another command in this process; returns its exit code. */
    public int run(CrailConfiguration conf, List<String> arguments) {
        return runner.run(conf, null, arguments);
    }

    /** Runs another command in this process, which leaves its stores open; returns its exit code. */
    public int run(CrailConfiguration conf, Stores stores, List<String> arguments) {
        return runner.run(conf, stores, arguments);
    }
}
