/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailKeys;

/**
 * What a store tells the buffered streams over its files; implemented by stores. Immutable.
 */
public interface StreamSettings {
    /** The size of the transfers of buffered streams in bytes, see {@code crail.slicesize}. */
    int sliceSize();

    /** The settings of {@code store}: its own if it has any, else the defaults. */
    static StreamSettings of(CrailStore store) {
        return store instanceof StreamSettings settings ? settings : CrailKeys.SLICE_SIZE::defaultValue;
    }
}
