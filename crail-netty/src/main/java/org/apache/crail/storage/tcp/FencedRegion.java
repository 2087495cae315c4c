/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import org.apache.crail.storage.memory.MappedRegion;

/**
 * The memory of a region and the epochs of its blocks. Thread safe.
 *
 * @param memory holds the blocks
 * @param epochs the highest seen for each block
 */
record FencedRegion(MappedRegion memory, BlockEpochs epochs) {
    FencedRegion(MappedRegion memory) {
        this(memory, new BlockEpochs(memory.blocks()));
    }
}
