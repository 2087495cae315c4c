/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What both planes over sockets share: threads, how servers listen and clients connect, over TCP and Unix domain
 * sockets, configuration keys, and control over where received bytes go.
 */
package org.apache.crail.netty;
