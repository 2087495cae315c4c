/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

/** What the programs of a seed do most. */
enum Focus {
    /** They work on files, and on values. */
    FILES_AND_VALUES,

    /** All write to one file, while processes are stopped often. */
    ONE_FILE,

    /** They put, replace and read values. */
    VALUES,

    /** They create, move, remove and list nodes. */
    NAMES
}
