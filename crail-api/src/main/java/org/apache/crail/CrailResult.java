/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/** What a transfer has done. Immutable. */
public interface CrailResult {
    /** Bytes transferred. */
    long getLen();
}
