/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage tier over sockets. A connection begins with one exchange of greetings; then requests follow each other,
 * and each is answered in the order in which it arrived. All numbers are big-endian.
 *
 * <pre> greeting: magic i32, version i16, client id 2 x i64, length of the cluster's name i16, name answer:   magic
 * i32, version i16, status i16, length i32, bytes: text of an error, or for a client on this host what it may use
 * instead of TCP: length of the next part i16, the Unix domain socket (see {@link org.apache.crail.netty.LocalSocket}),
 * and where the memory is (token 2 x i64, stamp i64, directory) request:  operation i32, request id i64, region i32,
 * address of the block i64, length of the block i32, epoch i64, offset in the block i32, length i32, 20 bytes of no
 * meaning; then, for a write, as many bytes as the length says response: request id i64, status i32, length i32, 48
 * bytes of no meaning; then as many bytes as the length says: data of a read, or text of an error
 * </pre>
 *
 * <p>A client that connects again says the same client id; the datanode then ends the older connection before it
 * answers the greeting, so that nothing that was sent there can land later than what is sent from now on.
 */
package org.apache.crail.storage.tcp;
