/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * The one table of failures: shared by the wire protocol, the exceptions and the documentation. The number is what
 * travels; the exception is what an application catches. Immutable.
 */
public enum ErrorCode {
    /** The server failed on a request for a reason it did not foresee; report it with the server log. */
    INTERNAL(1),

    /** The peer speaks another protocol or another version of it; use the same release on both sides. */
    PROTOCOL_MISMATCH(2),

    /** The peer belongs to another cluster; check crail.clusterid and the address. */
    CLUSTER_MISMATCH(3),

    /** A request has an argument that no server can accept; correct the argument that the message names. */
    INVALID_REQUEST(4),

    /**
     * A path is too long, holds a component that is too long, or holds "." or ".."; components of 1 to 255 bytes, 1,023
     * bytes in all.
     */
    INVALID_PATH(5),

    /** No node has this path; check the path. */
    NODE_NOT_FOUND(6),

    /** A node has this path already; choose another path or delete the node first. */
    NODE_EXISTS(7),

    /** The parent of this path does not exist; create the parent first. */
    PARENT_NOT_FOUND(8),

    /** A component of this path that should be a container is not one; choose a path below a container. */
    PARENT_NOT_CONTAINER(9),

    /**
     * A node has another type than the operation needs, or its parent cannot hold that type; see the table of node
     * types.
     */
    NODE_TYPE_MISMATCH(10),

    /** A container still has children; delete recursively. */
    NOT_EMPTY(11),

    /**
     * A node cannot move there: below itself, onto or from the root, or across partitions; choose another destination.
     */
    INVALID_MOVE(12),

    /** The node behind this handle has been deleted or replaced; look the path up again. */
    STALE_NODE(13),

    /** Another writer holds the write token; wait until it closes or its token expires. */
    TOKEN_TAKEN(14),

    /** This writer no longer holds the write token; look the node up again for writing. */
    TOKEN_MISMATCH(15),

    /** A position lies outside the node; use a position between 0 and the capacity. */
    POSITION_OUT_OF_RANGE(16),

    /** No storage class has a free block, nor will have one soon; delete data, or add datanodes. */
    NO_FREE_BLOCKS(17),

    /** The namenode does not know this datanode; register the datanode again. */
    DATANODE_NOT_REGISTERED(18),

    /**
     * The datanode that holds a block sends no heartbeats or lost its data; restart a silent one, else write the data
     * again.
     */
    DATANODE_LOST(19),

    /**
     * A datanode cannot be connected to, or the connection broke; check that the datanode runs and its address can be
     * reached.
     */
    DATANODE_UNREACHABLE(20),

    /**
     * The namenode cannot be connected to, or the connection broke; check crail.namenode.address and that the namenode
     * runs.
     */
    NAMENODE_UNREACHABLE(21),

    /**
     * An operation did not finish within its time limit; check the servers, or raise crail.rpctimeout or
     * crail.datatimeout.
     */
    TIMEOUT(22),

    /**
     * A block has been given to another node since its location was learned; ask the namenode for the location again.
     */
    STALE_BLOCK(23),

    /**
     * A transfer touches a region that does not exist or crosses the end of its block; keep transfers inside one block.
     */
    BLOCK_BOUNDS(24),

    /** A datanode could not read or write its medium; see the log of the datanode. */
    STORAGE_FAILURE(25),

    /** The store, stream or connection has been closed; open it again. */
    CLOSED(26),

    /** A configuration value is missing, ill-typed or out of range; see the key in docs/configuration.md. */
    CONFIGURATION(27),

    /** No buffer could be had; free buffers, or raise crail.cachelimit or the JVM limit of direct memory. */
    OUT_OF_MEMORY(28),

    /**
     * A datanode that began later has taken the place of this one, which must end; start it again only if it is the
     * later one.
     */
    DATANODE_REPLACED(29),

    /** Another datanode, which is live, has this address; give each an address of its own, or stop the other one. */
    ADDRESS_TAKEN(30),

    /** The namenode has forgotten what it answered this client; look whether the operation was done, then go on. */
    SESSION_LOST(31),

    /** The namenode does or keeps as much of this as it may; try again later. */
    NAMENODE_BUSY(32),

    /**
     * No storage class has a free block, but blocks wait for reclamation; clients ask again by themselves until their
     * limit.
     */
    BLOCKS_PENDING(33);

    private static final ErrorCode[] BY_NUMBER = byNumber();

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    /** The number on the wire, 1 or more; 0 stands for success and has no code. */
    public int number() {
        return number;
    }

    /** Returns the code of a number on the wire, {@link #INTERNAL} for a number that this release does not know. */
    public static ErrorCode ofNumber(int number) {
        ErrorCode known = number > 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
        return known == null ? INTERNAL : known;
    }

    /**
     * Makes the exception of this code; the message says what was tried, on what, what is wrong, what would be right.
     */
    public CrailException exception(String message) {
        return exception(message, null);
    }

    /** Makes the exception of this code with the failure that led to it. */
    public CrailException exception(String message, Throwable cause) {
        return ErrorExceptions.create(this, message, cause);
    }

    private static ErrorCode[] byNumber() {
        ErrorCode[] table = new ErrorCode[values()[values().length - 1].number + 1];
        for (ErrorCode code : values()) {
            table[code.number] = code;
        }
        return table;
    }
}
