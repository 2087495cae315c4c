/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;

/** What a test's cluster consists of. Immutable. */
public enum ClusterKind {
    /** Both planes inside the process. */
    MEMORY {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.namenode.rpctype", MemoryTransport.class.getName());
            configuration.set("crail.storage.types", MemoryTier.class.getName());
        }

        @Override
        List<String> tierArguments(CrailConfiguration configuration, int blocks, int port) {
            return List.of(Integer.toString(blocks), Integer.toString(port));
        }
    },

    /** Both planes over TCP on loopback. */
    SOCKETS {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.storage.tcp.port", "0");
        }

        @Override
        List<String> tierArguments(CrailConfiguration configuration, int blocks, int port) {
            long bytes = blocks * blockSize(configuration);
            configuration.set("crail.storage.tcp.storagelimit", Long.toString(bytes));
            configuration.set("crail.storage.tcp.allocationsize", Long.toString(bytes));
            configuration.set("crail.storage.tcp.port", Integer.toString(port));
            return List.of();
        }
    };

    private static long blockSize(CrailConfiguration configuration) {
        try {
            return configuration.get(CrailKeys.BLOCK_SIZE);
        } catch (ConfigurationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Sets what is particular to this kind. */
    abstract void configure(CrailConfiguration configuration);

    /** Prepares the configuration of a datanode with so many blocks at this port (0: any); answers its tier's arguments. */
    abstract List<String> tierArguments(CrailConfiguration configuration, int blocks, int port);
}
