/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a live datanode has this address already; give each an address of its own. */
public final class AddressTakenException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public AddressTakenException(String message, Throwable cause) {
        super(ErrorCode.ADDRESS_TAKEN, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public AddressTakenException(String message) {
        this(message, null);
    }
}
