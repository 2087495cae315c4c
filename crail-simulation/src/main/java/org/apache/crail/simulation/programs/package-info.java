/* SPDX-License-Identifier: Apache-2.0 */
/** What the clients of a simulation do. */
package org.apache.crail.simulation.programs;
