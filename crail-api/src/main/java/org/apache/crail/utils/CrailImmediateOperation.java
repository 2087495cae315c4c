/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailResult;

/** An operation that was done when it began. Immutable. */
public class CrailImmediateOperation implements Future<CrailResult>, CrailResult {
    private final int length;

    /** Makes one that transferred {@code len} bytes. */
    public CrailImmediateOperation(int len) {
        this.length = len;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public CrailResult get() throws InterruptedException, ExecutionException {
        return this;
    }

    @Override
    public CrailResult get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return this;
    }

    @Override
    public long getLen() {
        return length;
    }
}
