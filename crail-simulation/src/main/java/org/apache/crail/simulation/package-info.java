/* SPDX-License-Identifier: Apache-2.0 */
/** Runs namenode, datanodes and clients on a virtual clock, with faults that a seed decides. */
package org.apache.crail.simulation;
