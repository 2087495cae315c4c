/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The metadata transport over TCP and Unix domain sockets: frames of a length (int32, big-endian) and that many bytes.
 * An empty frame asks a server for its Unix domain socket, which a frame answers, empty if there is none; see {@link
 * org.apache.crail.netty.LocalSocket}. All other frames are messages.
 */
package org.apache.crail.namenode.rpc.tcp;
