/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How full a storage class is, and what the operator hears of that: a warning when it is nearly full, and one when
 * nodes hold all blocks. Those that wait for reclamation are room: they are free soon, whatever the operator does. It
 * is said again only after there was room in between. Not thread safe; guarded by the namespace's lock.
 *
 * <pre>
 *              below 80 %   80 to 90 %    from 90 %     all in use
 * ROOMY        ROOMY        ROOMY         NEARLY_FULL   FULL
 * NEARLY_FULL  ROOMY        NEARLY_FULL   NEARLY_FULL   FULL
 * FULL         ROOMY        FULL          FULL          FULL
 * </pre>
 */
final class ClassFullness {
    private static final int NEARLY_FULL_PERCENT = 90;
    private static final int ROOMY_PERCENT = 80;
    private static final Logger LOG = LoggerFactory.getLogger(ClassFullness.class);

    private final int storageClass;
    private Level level = Level.ROOMY;
    private long blocks;
    private long free;
    private long waiting;

    ClassFullness(int storageClass) {
        this.storageClass = storageClass;
    }

    /** Begins a count of the blocks of live datanodes. */
    void beginCount() {
        blocks = 0;
        free = 0;
        waiting = 0;
    }

    void count(DatanodeLife datanode) {
        blocks += datanode.blocks();
        free += datanode.freeBlocks();
        waiting += datanode.pendingBlocks();
    }

    /** Ends the count, and tells the operator if the level has changed. */
    void endCount() {
        Level now = next();
        if (now != level) {
            level = now;
            tell();
        }
    }

    Level level() {
        return level;
    }

    private Level next() {
        long room = free + waiting;
        long usedPercent = blocks == 0 ? 0 : (blocks - room) * 100 / blocks;
        if (usedPercent < ROOMY_PERCENT) {
            return Level.ROOMY;
        }
        if (room == 0) {
            return Level.FULL;
        }
        return level == Level.ROOMY && usedPercent >= NEARLY_FULL_PERCENT ? Level.NEARLY_FULL : level;
    }

    private void tell() {
        switch (level) {
            case ROOMY ->
                LOG.info(
                        "storage class {} has room again: {} of {} blocks are free, {} wait for reclamation",
                        storageClass,
                        free,
                        blocks,
                        waiting);
            case NEARLY_FULL ->
                LOG.warn(
                        "storage class {} is nearly full: {} of {} blocks are free, {} wait for reclamation; delete"
                                + " data, or add datanodes",
                        storageClass,
                        free,
                        blocks,
                        waiting);
            case FULL ->
                LOG.warn(
                        "storage class {} is full: none of {} blocks is free; delete data, or add datanodes",
                        storageClass,
                        blocks);
        }
    }

    /** What the operator was told last. */
    enum Level {
        ROOMY,
        NEARLY_FULL,
        FULL
    }
}
