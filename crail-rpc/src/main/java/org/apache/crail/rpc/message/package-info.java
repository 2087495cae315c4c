/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Requests and responses, one of each per operation, and how they are laid out in bytes (big-endian). All messages are
 * immutable.
 */
package org.apache.crail.rpc.message;
