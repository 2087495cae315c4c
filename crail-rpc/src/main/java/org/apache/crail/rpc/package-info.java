/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The metadata protocol. {@code message} holds what travels, {@code transport} is what a transport implements,
 * {@code client} and {@code server} are the two ends above any transport.
 */
package org.apache.crail.rpc;
