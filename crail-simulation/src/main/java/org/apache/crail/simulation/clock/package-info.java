/* SPDX-License-Identifier: Apache-2.0 */
/** Virtual time, processes, and threads of which one runs at a time. */
package org.apache.crail.simulation.clock;
