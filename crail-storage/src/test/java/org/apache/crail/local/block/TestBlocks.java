/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

/** Mapped blocks for tests of other packages. Stateless. */
public final class TestBlocks {
    private TestBlocks() {}

    /** What they are copied by: the same object for as long as mappings are kept; null while nothing is offered. */
    public static Object regions(MappedBlocks blocks) {
        return blocks.regions();
    }
}
