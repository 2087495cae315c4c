/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

/**
 * Size of a namespace. Immutable.
 *
 * @param sectors how many
 * @param sectorBytes size of each
 */
record NamespaceShape(long sectors, int sectorBytes) {
    long bytes() {
        return sectors * sectorBytes;
    }

    @Override
    public String toString() {
        return sectors + " sectors of " + sectorBytes + " bytes";
    }
}
