/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import org.apache.crail.metadata.DataNodeInfo;

/**
 * A datanode that was started. Immutable.
 *
 * @param info the datanode as clients see it
 * @param capacityBytes what it offers
 */
public record StartedDatanode(DataNodeInfo info, long capacityBytes) {}
