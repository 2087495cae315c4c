/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.List;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.metadata.StoreCapacity;

/**
 * What file systems over Crail need of the namespace beyond {@link CrailStore}: owners and times, listings with them,
 * and operations that say why they failed. Each method is one call to the namenode, unless it says otherwise. All
 * methods are thread safe and none blocks; failures show in the futures, but a path that cannot be valid is refused at
 * once.
 */
public interface CrailNamespace {
    /** All that is known of a node. The future gives null if no node has this path. */
    Upcoming<NodeStatus> status(String path) throws Exception;

    /**
     * A page of a container's children, enumerable or not, in an order that depends on their names and on nothing else
     * that a program knows. So a path that exists while one page after the other is asked for is on exactly one of
     * them, also if what has the path is replaced meanwhile.
     *
     * @param after only children behind this name; the empty name to begin, else {@link ChildrenPage#lastName} of the
     *     page before
     * @return as many as fit a message, hundreds with usual names. Failures:
     *     {@code NodeNotFoundException}, {@code NodeTypeMismatchException} if it is no container
     */
    Upcoming<ChildrenPage> children(String path, String after) throws Exception;

    /**
     * Tells where a range of a file lies; one call for each 192 blocks, and one that finds the end of the file if the
     * range goes beyond it.
     *
     * @param start first byte, not negative
     * @param length bytes, not negative; more than there are is no failure; for none nothing is asked
     * @return a location for each block of the range, in order, as far as there are blocks. Each has the length of a
     *     block, also the last one. The future gives null if no node has this path. Failures: {@code
     *     DatanodeLostException} if a block of the range is lost
     */
    Upcoming<List<CrailBlockLocation>> locate(String path, long start, long length) throws Exception;

    /**
     * Creates an enumerable node as {@link CrailStore#create} does.
     *
     * @param ownership whose it is to be, where an empty name stands for the parent's owner or group; null for both,
     *     with the usual permission
     * @param replace whether a file takes the place of another file in the same step, whose handles are stale from then
     *     on
     */
    Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            Ownership ownership,
            boolean replace)
            throws Exception;

    /**
     * Moves a node, with all that is below it, in one step.
     *
     * @return the node at its new path. Failures: {@code NodeNotFoundException}, {@code ParentNotFoundException},
     *     {@code ParentNotContainerException}, {@code NodeExistsException}, {@code NodeTypeMismatchException},
     *     {@code NotEmptyException}, {@code InvalidMoveException}; the tree is then as it was
     */
    Upcoming<CrailNode> move(String source, String destination, MoveMode mode) throws Exception;

    /**
     * Sets owner, group, permission or times.
     *
     * @return the node with what was set. Failures: {@code NodeNotFoundException}; {@code InvalidRequestException} if a
     *     value is out of range
     */
    Upcoming<NodeStatus> change(String path, StatusChange change) throws Exception;

    /** The bytes of the cluster; one call for each hundreds of datanodes. */
    Upcoming<StoreCapacity> capacity() throws Exception;
}
