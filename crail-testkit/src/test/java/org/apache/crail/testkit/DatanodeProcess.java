/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.datanode.Datanode;

/** A process with one datanode of storage class 1, which waits for its death. Used by one thread. */
public final class DatanodeProcess {
    private DatanodeProcess() {}

    /** Starts the datanode, at a port if there is an argument; says so by ending the standard output. */
    @SuppressWarnings("try") // not used: the process is killed
    public static void main(String[] args) throws Exception {
        CrailConfiguration configuration = CrailConfiguration.createConfigurationFromFile();
        if (args.length > 0) {
            configuration.set("crail.storage.tcp.port", args[0]);
        }
        try (Datanode datanode = Datanode.start(configuration, null, 1, List.of())) {
            System.out.close();
            System.in.read(); // ends with the process that started this one
        }
    }
}
