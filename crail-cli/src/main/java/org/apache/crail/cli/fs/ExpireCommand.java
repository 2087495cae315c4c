/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.internal.DurationText;
import org.apache.crail.metadata.StatusChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code crail fs -expire}. Used by one thread. */
@Command(
        name = "expire",
        aliases = "-expire",
        description = {
            "Let nodes go by themselves, with all that is in them.",
            "Each call counts from now on, so whoever still needs a tree can set its time again."
        })
final class ExpireCommand extends FsSubcommand {
    private static final String NEVER = "never";

    @Option(
            names = "-each",
            description = "Let each file go by itself when so much time has passed since it was closed last: the named"
                    + " files, and what is created in the named directories from now on.")
    private boolean each;

    @Parameters(index = "0", paramLabel = "TIME", description = "As 2h, 30min or 90s; never to let them stay.")
    private String time;

    @Parameters(index = "1..*", paramLabel = "PATH", arity = "1..*", description = "Nodes.")
    private List<String> paths;

    ExpireCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        Duration duration = parse();
        StatusChange change = each ? StatusChange.ofTimeToLive(duration) : StatusChange.ofEnd(duration);
        changeEach(trees, paths, false, status -> change);
    }

    private Duration parse() {
        if (time.equals(NEVER)) {
            return Duration.ZERO;
        }
        Duration duration;
        try {
            duration = DurationText.parse(time, ChronoUnit.SECONDS);
        } catch (IllegalArgumentException | ArithmeticException e) {
            duration = Duration.ZERO;
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new ParameterException(
                    spec().commandLine(), "TIME \"" + time + "\" is no time ahead; write 2h, 30min, 90s or " + NEVER);
        }
        return duration;
    }
}
