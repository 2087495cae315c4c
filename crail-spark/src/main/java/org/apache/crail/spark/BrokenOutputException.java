/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;

/** The file of a map output is not what its writer has closed, or not what the driver knows of it. Immutable. */
final class BrokenOutputException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenOutputException(String message) {
        super(message);
    }
}
