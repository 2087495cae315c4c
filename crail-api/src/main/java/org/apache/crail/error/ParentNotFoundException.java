/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when the parent of this path does not exist; create the parent first. */
public final class ParentNotFoundException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public ParentNotFoundException(String message, Throwable cause) {
        super(ErrorCode.PARENT_NOT_FOUND, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public ParentNotFoundException(String message) {
        this(message, null);
    }
}
