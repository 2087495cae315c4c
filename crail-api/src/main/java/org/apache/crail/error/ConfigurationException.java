/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

/** Thrown when a configuration value is missing, ill-typed or out of range; see the key in docs/configuration.md. */
public final class ConfigurationException extends CrailException {
    private static final long serialVersionUID = 1L;

    /** Makes one with a message that names what was tried and on what, and its cause, or null. */
    public ConfigurationException(String message, Throwable cause) {
        super(ErrorCode.CONFIGURATION, message, cause);
    }

    /** Makes one with a message that names what was tried and on what. */
    public ConfigurationException(String message) {
        this(message, null);
    }
}
