/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.HostPort;

/**
 * The processes of a cluster: the namenode, and the datanodes of a slaves file. Immutable.
 *
 * @param processes the namenode first
 * @param problems of the datanodes: with the configuration, and with each other
 */
record ClusterPlan(List<PlannedProcess> processes, List<Problem> problems) {
    ClusterPlan {
        processes = List.copyOf(processes);
        problems = List.copyOf(problems);
    }

    static ClusterPlan of(CrailConfiguration configuration, List<SlaveLine> datanodes) throws ConfigurationException {
        List<PlannedProcess> processes = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        URI namenode =
                configuration.get(CrailKeys.NAMENODE_ADDRESS).get(0); // as everywhere: the only one that there is
        processes.add(new PlannedProcess("namenode", HostPort.of(namenode).host(), List.of("namenode")));
        Map<String, Integer> ofHost = new HashMap<>();
        Map<String, SlaveLine> ofAddress = new HashMap<>();
        for (SlaveLine datanode : datanodes) {
            int number = ofHost.merge(datanode.host(), 1, Integer::sum);
            processes.add(new PlannedProcess(
                    "datanode-" + datanode.host() + "-" + number, datanode.host(), datanode.arguments()));
            checkTier(configuration, datanode, problems);
            checkPort(datanode, ofAddress, problems);
        }
        return new ClusterPlan(processes, problems);
    }

    private static void checkTier(CrailConfiguration configuration, SlaveLine datanode, List<Problem> problems)
            throws ConfigurationException {
        List<String> tiers = configuration.get(CrailKeys.STORAGE_TYPES);
        if (datanode.tier() != null && !tiers.contains(datanode.tier())) {
            problems.add(new Problem(
                    datanode.line(),
                    "the tier " + datanode.tier() + " is none of crail.storage.types, which are " + tiers
                            + "; use one of these, or add it there on all hosts"));
        }
        int classes = CrailKeys.storageClasses(configuration);
        if (datanode.storageClass() != null && datanode.storageClass() >= classes) {
            problems.add(new Problem(
                    datanode.line(),
                    "storage class " + datanode.storageClass() + " does not exist; there are " + classes
                            + ", counted from 0; raise crail.storage.classes on all hosts, or use a smaller one"));
        }
    }

    /** Two datanodes of one tier on one host need two ports; port 0 is any free one. */
    private static void checkPort(SlaveLine datanode, Map<String, SlaveLine> others, List<Problem> problems) {
        String port = datanode.port();
        if ("0".equals(port)) {
            return;
        }
        String place = port == null
                ? datanode.host() + " at the port of the tier " + datanode.tier()
                : datanode.host() + " at port " + port;
        SlaveLine other = others.putIfAbsent(place, datanode);
        if (other != null) {
            problems.add(new Problem(
                    datanode.line(),
                    "this datanode and that of line " + other.line() + " would both listen on " + place
                            + "; give it a port of its own behind --, as in: -- -p 50021"));
        }
    }
}
