/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/**
 * Where a part of a file lies. The arrays have one element per host; the first is where the block is, the further ones,
 * see {@code crail.shadowreplication}, hold other blocks of the range. Immutable; callers must not change the arrays.
 */
public interface CrailBlockLocation {
    /** First byte of the part, within the file. */
    long getOffset();

    /** Bytes in the part. */
    long getLength();

    /** Datanodes as {@code host:port}. */
    String[] getNames();

    /** Hosts, renamed by {@code crail.locationmap}. */
    String[] getHosts();

    /** Datanodes as {@code /default-rack/host:port}. */
    String[] getTopology();

    /** Storage types: places of the tiers in {@code crail.storage.types}. */
    int[] getStorageTypes();

    /** Location classes. */
    int[] getLocationAffinities();
}
