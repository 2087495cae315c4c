/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a component of this path that should be a container is not one; choose a path below a container. */
public final class ParentNotContainerException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public ParentNotContainerException(String message, Throwable cause) {
        super(ErrorCode.PARENT_NOT_CONTAINER, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public ParentNotContainerException(String message) {
        this(message, null);
    }
}
