/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/** Where a block is, for who counts them all. */
enum BlockPlace {
    /** In a free list. */
    FREE,

    /** In a queue of those that wait for reclamation. */
    WAITING,

    /** With a node, or shared by small nodes. */
    HELD,

    /** With a node that has been removed, and has not been taken apart yet. */
    REMOVED
}
