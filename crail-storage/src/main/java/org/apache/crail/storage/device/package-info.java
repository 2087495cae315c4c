/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the client sides of tiers share that reach the medium through a device of this host, without a server in
 * between: connections and time limits, the thread that takes completions, and the memory that the device may use.
 */
package org.apache.crail.storage.device;
