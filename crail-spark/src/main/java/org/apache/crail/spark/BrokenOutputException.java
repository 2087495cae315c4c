/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;

/** Bytes in the store are not those that were written there, or not what the driver knows of them. Immutable. */
final class BrokenOutputException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenOutputException(String message) {
        super(message);
    }
}
