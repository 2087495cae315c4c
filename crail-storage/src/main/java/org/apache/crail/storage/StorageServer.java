/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.Region;

/** The server side of a tier: offers regions and serves transfers until it is closed. Methods are thread safe. */
public interface StorageServer extends AutoCloseable {
    /** What has been bound, with the port that the system chose; the host may be a wildcard. */
    InetSocketAddress address();

    /** The host that clients connect to if the medium is not on this one; empty if clients come here. */
    default String host() {
        return "";
    }

    /**
     * What clients need besides host and port to find the medium; also tells several datanodes of one address apart.
     */
    default String locator() {
        return "";
    }

    /**
     * Names what the regions lie on if other datanodes could offer parts of it, too; the namenode then takes the
     * addresses of regions for offsets in it and refuses what overlaps. Empty if the medium belongs to this datanode
     * alone.
     */
    default String medium() {
        return "";
    }

    /**
     * Makes the next region ready for use, or answers nothing when the limit is reached. Regions have 64-bit lengths
     * and follow each other without a gap in the datanode's space of block addresses.
     *
     * @throws CrailException if the medium fails, for example because it is full
     */
    Optional<Region> allocateRegion() throws CrailException;

    /**
     * The namenode has accepted all regions; nothing may be written to a shared medium before.
     *
     * @throws CrailException if they cannot be served after all
     */
    default void onRegistered() throws CrailException {}

    /**
     * A number that grows each time the server starts with empty regions, see {@link
     * org.apache.crail.rpc.message.Incarnation}.
     */
    long incarnation();

    /** Whether regions hold data from before this start, so that clients may know locations in them. */
    default boolean hasFormerData() {
        return false;
    }

    /** Whether a transfer is refused if its epoch is lower than one that was admitted for its block. */
    default boolean comparesEpochs() {
        return false;
    }

    /** From now on transfers of epochs up to a limit are admitted, and none of higher ones; it only rises. */
    default void admitEpochs(long limit) {}

    /** Whether transfers are served. */
    boolean isAlive();

    /** Stops serving and gives the medium back. */
    @Override
    void close();
}
