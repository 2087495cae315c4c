/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

/**
 * What locations of blocks call a region, so that clients on this host find its file. Immutable.
 *
 * @param key of the region
 * @param address of its first byte
 * @param proofAddress where in the datanode's memory clients can read {@link LocalOffer#proof}; 0 if they cannot
 * @param proofKey to read it with; 0 if they cannot
 */
public record RegionName(int key, long address, long proofAddress, int proofKey) {}
