/* SPDX-License-Identifier: Apache-2.0 */
/** The systems that take part: ours, the raw machine, and those of other projects, with their servers and clients. */
package org.apache.crail.comparison.peers;
