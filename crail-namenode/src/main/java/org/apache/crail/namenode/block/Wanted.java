/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/** What a datanode is asked for. Immutable. */
enum Wanted {
    /** A whole block. */
    BLOCK,

    /** A part of a block that small nodes share. */
    PART
}
