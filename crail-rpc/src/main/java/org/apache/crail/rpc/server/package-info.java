/* SPDX-License-Identifier: Apache-2.0 */
/** The server's end of the metadata protocol, above any transport. */
package org.apache.crail.rpc.server;
