/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.crail.cli.console.Console;
import org.apache.crail.conf.CrailConfiguration;

/** What a command did: exit code and output. */
@SuppressWarnings("ArrayRecordComponent") // made once, compared never
record CommandRun(int exitCode, byte[] outBytes, String err) {
    static CommandRun of(CrailConfiguration conf, String... arguments) {
        return of(conf, new byte[0], arguments);
    }

    static CommandRun of(CrailConfiguration conf, byte[] in, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = Console.of(new ByteArrayInputStream(in), out, err, false);
        int exitCode = new CrailCommandLine(console, conf).run(arguments);
        console.out().flush();
        console.err().flush();
        return new CommandRun(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    String out() {
        return new String(outBytes, StandardCharsets.UTF_8);
    }

    List<String> lines() {
        return out().lines().toList();
    }

    /** Fails unless all went well. */
    CommandRun ok() {
        if (exitCode != 0 || !err.isEmpty()) {
            throw new AssertionError("exit code " + exitCode + ", " + err);
        }
        return this;
    }
}
