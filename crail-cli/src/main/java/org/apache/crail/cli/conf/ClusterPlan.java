/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.client.NamenodeAddress;
import org.apache.crail.storage.StorageTier;

/** Makes the plan of a cluster, a datanode at a time, and notes what is wrong with it. Used by one thread. */
final class ClusterPlan {
    private final CrailConfiguration configuration;
    private final List<PlannedProcess> processes = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, Integer> datanodesOfHost = new HashMap<>();
    private final Map<String, SlaveLine> datanodesByPlace = new HashMap<>();
    private final String namenode;
    private boolean isLoopbackTold;

    /**
     * Begins with the namenode.
     *
     * @throws ConfigurationException if that cannot be told, or is no host that a process can be started on
     */
    ClusterPlan(CrailConfiguration configuration) throws ConfigurationException {
        this.configuration = configuration;
        this.namenode = NamenodeAddress.of(configuration).host();
        if (!Hosts.isHost(namenode)) {
            throw new ConfigurationException(CrailKeys.NAMENODE_ADDRESS + " names the host \"" + namenode
                    + "\", which is no host name or address");
        }
        processes.add(new PlannedProcess("namenode", namenode, List.of("namenode")));
    }

    void add(SlaveLine datanode) throws ConfigurationException {
        String host = Hosts.fileName(datanode.host());
        int number = datanodesOfHost.merge(host, 1, Integer::sum);
        processes.add(new PlannedProcess("datanode-" + host + "-" + number, datanode.host(), datanode.arguments()));
        if (Hosts.isLoopback(namenode) && !Hosts.isLoopback(datanode.host()) && !isLoopbackTold) {
            isLoopbackTold = true; // the others are no better off
            note(
                    datanode,
                    "a datanode on " + datanode.host() + " cannot reach a namenode at " + namenode + " ("
                            + configuration.origin(CrailKeys.NAMENODE_ADDRESS.name()) + "); set "
                            + CrailKeys.NAMENODE_ADDRESS + " to an address that all hosts can reach");
        }
        checkStorageClass(datanode);
        checkTier(datanode);
    }

    private void note(SlaveLine datanode, String text) {
        problems.add(new Problem(datanode.line(), text));
    }

    private void checkStorageClass(SlaveLine datanode) throws ConfigurationException {
        int classes = CrailKeys.storageClasses(configuration);
        if (datanode.storageClass() != null && datanode.storageClass() >= classes) {
            note(
                    datanode,
                    "storage class " + datanode.storageClass() + " does not exist; there are " + classes
                            + ", counted from 0; raise crail.storage.classes on all hosts, or use a smaller one");
        }
    }

    private void checkTier(SlaveLine datanode) throws ConfigurationException {
        List<String> tiers = configuration.get(CrailKeys.STORAGE_TYPES);
        String name = datanode.tier() == null ? tiers.get(0) : datanode.tier();
        if (!tiers.contains(name)) {
            note(
                    datanode,
                    "the tier " + name + " is none of crail.storage.types, which are " + tiers
                            + "; use one of these, or add it there on all hosts");
            return;
        }
        try {
            StorageTier tier = StorageTier.createInstance(name);
            checkPlace(datanode, tier, tier.listensAt(configuration, datanode.tierOptions()));
        } catch (CrailException e) {
            note(datanode, e.getMessage());
        }
    }

    private void checkPlace(SlaveLine datanode, StorageTier tier, String place) {
        if (place.isEmpty()) {
            return;
        }
        SlaveLine other = datanodesByPlace.putIfAbsent(tier.name() + " " + datanode.host() + " " + place, datanode);
        if (other != null) {
            note(
                    datanode,
                    "this datanode and that of line " + other.line() + " would both listen on " + datanode.host()
                            + " at " + place + "; give it a port of its own behind --, as in: -- -p 50021");
        }
    }

    /** What is to run, the namenode first. */
    List<PlannedProcess> processes() {
        return List.copyOf(processes);
    }

    /** What is wrong with datanodes: with the configuration, and with each other. */
    List<Problem> problems() {
        return List.copyOf(problems);
    }
}
