/* SPDX-License-Identifier: Apache-2.0 */
/** Connections, datanodes, and what goes wrong with them. */
package org.apache.crail.simulation.network;
