/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * What has become of an offer: the regions are known if the datanode admits all epochs up to the limit, else nothing
 * has changed. Immutable.
 *
 * @param blocks how many blocks the datanode has registered in all
 * @param epochLimit the highest epoch that its blocks may get
 */
public record Registered(long blocks, long epochLimit) {}
