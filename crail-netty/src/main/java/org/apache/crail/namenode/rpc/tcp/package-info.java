/* SPDX-License-Identifier: Apache-2.0 */
/** The metadata transport over TCP: frames of a length (int32, big-endian) and that many bytes. */
package org.apache.crail.namenode.rpc.tcp;
