/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.netty.LocalSocket;

/**
 * What a datanode tells a client on its host that it may use instead of TCP. Immutable.
 *
 * @param socket a Unix domain socket, or null
 * @param memory the files of its regions, or null
 */
record Shortcuts(LocalSocket socket, LocalOffer memory) {}
