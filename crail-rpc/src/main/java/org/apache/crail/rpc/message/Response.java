/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

/** What the namenode answers when an operation succeeded. */
public interface Response extends Encodable {}
