/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.cold.ColdWork;
import org.apache.crail.comparison.works.Effort;
import org.apache.crail.comparison.works.Work;

/**
 * What the process of a placement is to do; it gets this as JSON.
 *
 * @param rounds that count
 * @param warmup rounds before them
 * @param works names of work; all if empty
 * @param systems names of systems; all if empty
 * @param peers classes of further systems
 * @param settings configuration of our own systems, by key
 * @param quick as little of everything as possible
 * @param clientOptions of the JVMs of cold clients
 * @param usableMib what the directory for data had left at the begin
 * @param serverPrefix what stands before the command of a server
 * @param directory an empty directory for all data
 * @param report the file to which the {@link Report} goes
 */
public record Plan(
        int rounds,
        int warmup,
        List<String> works,
        List<String> systems,
        List<String> peers,
        Map<String, String> settings,
        boolean quick,
        List<String> clientOptions,
        long usableMib,
        List<String> serverPrefix,
        String directory,
        String report) {
    Effort effort() {
        return quick ? Effort.QUICK : Effort.FULL;
    }

    boolean wants(Work work) {
        return works.isEmpty() || works.contains(work.name());
    }

    /** The work of cold clients, in the order in which it is done. */
    List<ColdWork> coldWorks() {
        return Arrays.stream(ColdWork.values())
                .filter(work -> works.isEmpty() || works.contains(work.workName()))
                .toList();
    }

    boolean wants(Peer system) {
        return systems.isEmpty() || systems.contains(system.name());
    }
}
