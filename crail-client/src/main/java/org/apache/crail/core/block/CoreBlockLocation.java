/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.List;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.metadata.DataNodeInfo;

/** Where one block of a file lies. Immutable, but for the arrays, which callers must not change. */
final class CoreBlockLocation implements CrailBlockLocation {
    private static final String RACK = "/default-rack/";

    private final long offset;
    private final long length;
    private final String[] names;
    private final String[] hosts;
    private final String[] topology;
    private final int[] storageTypes;
    private final int[] storageClasses;
    private final int[] locationAffinities;

    /**
     * Makes a location.
     *
     * @param datanodes the one that holds the block, then those that are named besides
     */
    CoreBlockLocation(long offset, long length, List<DataNodeInfo> datanodes, HostMap hostMap) {
        this.offset = offset;
        this.length = length;
        this.names = datanodes.stream().map(DataNodeInfo::address).toArray(String[]::new);
        this.hosts = datanodes.stream().map(hostMap::host).toArray(String[]::new);
        this.topology =
                datanodes.stream().map(datanode -> RACK + datanode.address()).toArray(String[]::new);
        this.storageTypes =
                datanodes.stream().mapToInt(DataNodeInfo::getStorageType).toArray();
        this.storageClasses =
                datanodes.stream().mapToInt(DataNodeInfo::getStorageClass).toArray();
        this.locationAffinities =
                datanodes.stream().mapToInt(DataNodeInfo::getLocationClass).toArray();
    }

    @Override
    public long getOffset() {
        return offset;
    }

    @Override
    public long getLength() {
        return length;
    }

    @Override
    public String[] getNames() {
        return names;
    }

    @Override
    public String[] getHosts() {
        return hosts;
    }

    @Override
    public String[] getTopology() {
        return topology;
    }

    @Override
    public int[] getStorageTypes() {
        return storageTypes;
    }

    /** Storage classes of the datanodes. */
    public int[] getStorageClasses() {
        return storageClasses;
    }

    @Override
    public int[] getLocationAffinities() {
        return locationAffinities;
    }

    @Override
    public String toString() {
        return "offset " + offset + ", length " + length + ", names " + String.join(" ", names) + ", hosts "
                + String.join(" ", hosts);
    }
}
