/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

/**
 * What overrides the configuration of one namenode process. Immutable.
 *
 * @param host what to bind instead of what the configuration says, or null
 * @param port the port instead of that in the configuration, 0 to let the system choose, or {@link #CONFIGURED}
 */
public record NamenodeOptions(String host, int port) {
    /** Use the port of the configuration. */
    public static final int CONFIGURED = -1;

    /** Overrides nothing. */
    public static NamenodeOptions none() {
        return new NamenodeOptions(null, CONFIGURED);
    }

    /** Lets the system choose the port, for tests and programs that run everything in one process. */
    public static NamenodeOptions anyPort() {
        return new NamenodeOptions(null, 0);
    }
}
