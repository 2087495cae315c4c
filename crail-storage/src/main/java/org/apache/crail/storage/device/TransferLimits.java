/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;

/**
 * How long transfers may take. Immutable.
 *
 * @param dataTimeoutMs limit of a transfer
 * @param leaseMs how long a location holds for a transfer that begins with it as old as it may be: the block may be
 *     given to another node thereafter
 */
public record TransferLimits(long dataTimeoutMs, long leaseMs) {
    /** What is left of a lease is for noticing that it is over, and for taking the connection from the device. */
    private static final double USED_PART = 0.8;

    /** Reads the limits of a configuration. */
    public static TransferLimits of(CrailConfiguration conf) throws ConfigurationException {
        return new TransferLimits(
                conf.get(CrailKeys.DATA_TIMEOUT).toMillis(),
                conf.get(CrailKeys.TOKEN_EXPIRATION).toMillis() / 2);
    }

    /** How long a transfer may take. */
    public long limitMs() {
        return Math.max(1, Math.min(dataTimeoutMs, (long) (USED_PART * leaseMs)));
    }

    /** When a transfer that is begun now is late, by {@link System#nanoTime}. */
    long deadlineNs() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs());
    }

    /** When a transfer was begun: a look at the clock may cost more than one would think. */
    public long begunNs(DirectTransfer transfer) {
        return transfer.range().deadlineNs() - TimeUnit.MILLISECONDS.toNanos(limitMs());
    }

    /** Whether it is the lease that limits transfers: what was too slow for it may succeed in another attempt. */
    public boolean byLease() {
        return limitMs() < dataTimeoutMs;
    }

    /** Why a transfer that took longer has failed. */
    public CrailException late(Object transfer) {
        return byLease()
                ? new StaleBlockException(transfer + " did not finish within " + limitMs()
                        + " ms, after which the block may be given to another node; ask the namenode for the location"
                        + " again, check the datanode, or raise crail.tokenexpiration")
                : new OperationTimeoutException(transfer + " did not finish within " + dataTimeoutMs
                        + " ms; check the datanode or raise crail.datatimeout");
    }
}
