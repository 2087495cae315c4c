/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

/** What a store tells the buffered streams over its files; implemented by stores. Immutable. */
public interface StreamSettings {
    /** The size of the transfers of buffered streams in bytes, see {@code crail.slicesize}. */
    int sliceSize();
}
