/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;

/**
 * The right to write one file, as long as the namenode confirms it. A request that carries the token and succeeds
 * confirms it for a lease; one that the namenode refuses ends it for good. Thread safe.
 */
public final class WriteToken {
    private final long value;
    private final long layout;
    private volatile long confirmedUntilNs;
    private volatile CrailException loss;

    /** The token that came with what the namenode has told of a node. */
    public WriteToken(FileInfo node, long confirmedUntilNs) {
        this.value = node.getToken();
        this.layout = node.layout();
        this.confirmedUntilNs = confirmedUntilNs;
    }

    public long value() {
        return value;
    }

    /** The layout of the node when the token was given out. */
    public long layout() {
        return layout;
    }

    /** Whether cached block locations may be written to without asking. */
    boolean isConfirmed(long nowNs) {
        return nowNs - confirmedUntilNs < 0;
    }

    public synchronized void confirm(long untilNs) {
        if (untilNs - confirmedUntilNs > 0) {
            confirmedUntilNs = untilNs;
        }
    }

    public long confirmedUntilNs() {
        return confirmedUntilNs;
    }

    /**
     * Whether it has been unused for two lives of a token, which are four leases, so that the namenode has given it up.
     */
    public boolean isLost(long nowNs, long leaseNs) {
        return nowNs - confirmedUntilNs >= 3 * leaseNs;
    }

    /**
     * A request with the token failed: if that means that another writes now, or the file is gone, the token is lost.
     */
    public void failed(CrailException failure) {
        if (failure.code() == ErrorCode.TOKEN_MISMATCH || failure.code() == ErrorCode.STALE_NODE) {
            loss = failure;
        }
    }

    /** Why the token is lost; null while it is not known to be. */
    public CrailException loss() {
        return loss;
    }
}
