/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a datanode could not read or write its medium; see the log of the datanode. */
public final class StorageFailureException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public StorageFailureException(String message, Throwable cause) {
        super(ErrorCode.STORAGE_FAILURE, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public StorageFailureException(String message) {
        this(message, null);
    }
}
