/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import org.apache.crail.utils.MultiFuture;

/** Waits for the writes that a purge found in flight; adds up their bytes. Thread safe. */
class CrailPurgeOperation extends MultiFuture<CrailResult, CrailResult> implements CrailResult {
    private volatile long length;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // called with the monitor of this object held
    public void aggregate(CrailResult result) {
        length += result.getLen();
    }

    @Override
    public CrailResult getAggregate() {
        return this;
    }

    @Override
    public long getLen() {
        return length;
    }
}
