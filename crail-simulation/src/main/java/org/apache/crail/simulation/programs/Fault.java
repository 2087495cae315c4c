/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

/** What may go wrong in a seed. */
enum Fault {
    /** Messages are delayed. */
    DELAYS,

    /** Connections to the namenode break. */
    BREAKS,

    /** Ways between processes are cut. */
    CUTS,

    /** Processes are stopped and go on. */
    PAUSES,

    /** Clients crash. */
    CRASHES,

    /** Datanodes are killed and start anew, without their data. */
    RESTARTS,

    /** A second datanode starts under an address that has one, which may have been stopped for long. */
    TWINS,

    /** The namenode is killed, and another one starts, which knows nothing, by a clock that may be earlier. */
    NAMENODES
}
