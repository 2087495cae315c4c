/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.conf.Plugins;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.SharedThreads;

/**
 * A kind of storage. {@code crail.storage.types} names the classes, which have a public constructor without arguments;
 * the index in that list is the storage type. Methods are thread safe.
 */
public interface StorageTier {
    /** Makes the tier that {@code className} names. */
    static StorageTier createInstance(String className) throws CrailException {
        return Plugins.newInstance(CrailKeys.STORAGE_TYPES, className, StorageTier.class);
    }

    /** A short name for people: "tcp", "rdma", "nvmf". */
    String name();

    /** Whether this tier works on this machine. */
    default boolean isAvailable() {
        return unavailabilityCause() == null;
    }

    /** Why this tier does not work on this machine, or null if it does. */
    default Throwable unavailabilityCause() {
        return null;
    }

    /** Does nothing if this tier works on this machine, and else says why not. */
    default void requireAvailable() throws ConfigurationException {
        if (!isAvailable()) {
            throw new ConfigurationException(
                    "the storage tier " + name() + " does not work on this machine: "
                            + unavailabilityCause().getMessage(),
                    unavailabilityCause());
        }
    }

    /** Makes the client side; one per store. */
    StorageClient createClient(CrailConfiguration configuration) throws CrailException;

    /**
     * Makes the client side; one per store.
     *
     * @param shared threads of the store's way to its namenode, which is closed after the client
     */
    default StorageClient createClient(CrailConfiguration configuration, SharedThreads shared) throws CrailException {
        return createClient(configuration);
    }

    /**
     * Where a datanode would listen on its host: two of a tier that give the same text cannot both run there. Empty if
     * it listens nowhere, or at any free port.
     *
     * @param arguments the tier's own command-line options, which override the configuration
     * @throws ConfigurationException if an option is wrong
     */
    default String listensAt(CrailConfiguration configuration, List<String> arguments) throws ConfigurationException {
        return "";
    }

    /**
     * Starts the server side; one per datanode.
     *
     * @param arguments the tier's own command-line options, which override the configuration
     * @throws CrailException if its address cannot be bound or its medium cannot be used; nothing is left behind
     */
    StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) throws CrailException;
}
