/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/**
 * Thrown when no storage class has a free block, but some will be: nodes have given them back, and they wait for
 * reclamation. Clients ask again by themselves until their time limit, so a program sees it only behind that.
 */
public final class BlocksPendingException extends NoFreeBlocksException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public BlocksPendingException(String message, Throwable cause) {
        super(ErrorCode.BLOCKS_PENDING, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public BlocksPendingException(String message) {
        this(message, null);
    }
}
