/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * A system that takes part in a comparison. Those of other projects are found by {@link java.util.ServiceLoader} or
 * named by class (<code>--peer</code>); they need a public constructor without parameters. Used by one thread.
 */
public interface Peer extends AutoCloseable {
    /** What the system is called in tables and in JSON; lower case, without blanks. */
    String name();

    /** What it can be asked to do. */
    Set<Ability> abilities();

    /** Why it cannot run on this machine, e.g. since its program is not installed; empty if it can. */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /** MiB that its servers keep below the directory for data, at most. */
    default int spaceMib() {
        return 0;
    }

    /**
     * Starts the system's servers and waits until they answer.
     *
     * @param servers starts them where the placement wants them, on this host, and ends them
     */
    void start(Servers servers) throws Exception;

    /** How a client in another process finds the servers that {@link #start} has started; empty if it cannot. */
    default Optional<String> address() {
        return Optional.empty();
    }

    /**
     * Called in another process in place of {@link #start}, so that clients can connect to servers that run already.
     *
     * @param address what {@link #address} has given
     */
    default void attach(String address) throws Exception {
        throw new UnsupportedOperationException(getClass().getName() + " cannot attach to " + address);
    }

    /** Opens a client for one thread; several may be open. The caller closes it. */
    PeerClient connect() throws Exception;

    /** Called after each round: fails if the system has not done its work in the way that it is named after. */
    default void check() throws Exception {}

    /** Closes what clients share. The servers are ended by others, afterwards. */
    @Override
    default void close() throws IOException {}
}
