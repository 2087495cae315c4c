/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when the peer belongs to another cluster; check crail.clusterid and the address. */
public final class ClusterMismatchException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public ClusterMismatchException(String message, Throwable cause) {
        super(ErrorCode.CLUSTER_MISMATCH, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public ClusterMismatchException(String message) {
        this(message, null);
    }
}
