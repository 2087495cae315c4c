/* SPDX-License-Identifier: Apache-2.0 */
/** What carries messages between a client and a namenode: sockets, RDMA, or memory. */
package org.apache.crail.rpc.transport;
