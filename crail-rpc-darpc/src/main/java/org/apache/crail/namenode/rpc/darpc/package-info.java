/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The metadata transport over DaRPC. A connection is a sequence of DaRPC calls; each carries a payload from the client
 * to the namenode and one back. The payloads of each direction, one behind the other, are a stream of messages: a
 * length (int32, big-endian) and that many bytes. A message of the usual size is one call; what is longer spans
 * several, and what waits while all calls are in flight travels together.
 */
package org.apache.crail.namenode.rpc.darpc;
