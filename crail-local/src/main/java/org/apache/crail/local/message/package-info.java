/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Messages between processes of one host: memory that both ends of a connection map, with a ring for each direction.
 * For transports of Crail only.
 */
package org.apache.crail.local.message;
