/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.internal.Counted;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.PingRequest;
import picocli.CommandLine.ExitCode;

/** What the namenodes tell about themselves. All methods are thread safe. */
final class Checks {
    private Checks() {}

    static int ping(FsckRequest request) throws Exception {
        try (Namenodes namenodes = request.context().connect()) {
            for (Namenodes.Namenode namenode : namenodes.all()) {
                namenode.call(new PingRequest(0));
                request.console().line("namenode " + namenode.address() + " is alive");
            }
        }
        return ExitCode.OK;
    }

    /** Every block is free, held by a node or waiting: never two of these, never none. */
    static int blocks(FsckRequest request) throws Exception {
        int exitCode = ExitCode.OK;
        try (Namenodes namenodes = request.context().connect()) {
            for (Namenodes.Namenode namenode : namenodes.all()) {
                CheckResponse check = namenode.call(new CheckRequest());
                List<String> problems = print(request.console(), namenode.address(), check);
                for (String problem : problems) {
                    request.console().error("crail fsck: namenode " + namenode.address() + ": " + problem);
                    exitCode = ExitCode.SOFTWARE;
                }
            }
        }
        return exitCode;
    }

    private static List<String> print(Console console, String address, CheckResponse check) {
        long sum = check.free() + check.allocated() + check.pending();
        console.linef(
                "namenode %s: %s; %d blocks registered = %d free + %d allocated + %d waiting for reclamation; %d lost",
                address,
                Counted.of(check.nodes(), "node"),
                check.registered(),
                check.free(),
                check.allocated(),
                check.pending(),
                check.lost());
        List<String> problems = new ArrayList<>(check.problems());
        if (sum != check.registered()) {
            problems.add(sum + " blocks are free, allocated or waiting, but " + check.registered()
                    + " are registered; restart the namenode and report this with its log");
        }
        if (check.lost() > 0) {
            problems.add(check.lost() + " blocks that nodes hold are lost: their datanodes came back without them;"
                    + " crail fsck -t lostFiles lists their files");
        }
        if (problems.isEmpty()) {
            console.line("every block is accounted for");
        }
        return problems;
    }
}
