/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.internal.Incarnation;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageServer;

/** A datanode's side of the tier: offers a range of a namespace and watches its target. All methods are thread safe. */
final class NvmfStorageServer implements StorageServer {
    private final NvmfDatanodeSettings settings;
    private final NvmfDatanodeSettings.Extent extent;
    private final String medium;
    private final long incarnation;
    private final TargetWatch watch;
    private long offered;
    private boolean closed;

    private NvmfStorageServer(
            NvmfDatanodeSettings settings,
            NvmfDatanodeSettings.Extent extent,
            String medium,
            long incarnation,
            TargetWatch watch) {
        this.settings = settings;
        this.extent = extent;
        this.medium = medium;
        this.incarnation = incarnation;
        this.watch = watch;
        this.offered = extent.firstBlock();
    }

    /** Connects to the target and checks its namespace. */
    static NvmfStorageServer start(NvmfDatanodeSettings settings, WatchedTarget.Opener opener) throws CrailException {
        WatchedTarget target = null;
        NvmfStorageServer server = null;
        try {
            target = opener.open(settings);
            NvmfDatanodeSettings.Extent extent = settings.place(target.shape());
            long incarnation = Incarnation.next();
            TargetWatch watch = new TargetWatch(settings, opener, target, extent.begin(), incarnation);
            server = new NvmfStorageServer(settings, extent, target.medium(), incarnation, watch);
            return server;
        } catch (ConfigurationException e) {
            throw e;
        } catch (IOException e) {
            throw unusable(e);
        } finally {
            if (server == null && target != null) {
                target.close();
            }
        }
    }

    private static CrailException unusable(IOException e) {
        String what = "the target of the nvmf tier cannot be used: " + e.getMessage();
        if (e instanceof CrailException typed && typed.code() != ErrorCode.DATANODE_UNREACHABLE) {
            return typed.code().exception(what, typed); // which says what would be right
        }
        return new DatanodeUnreachableException(
                what + "; check "
                        + NvmfTierKeys.STORAGE_IP + ", " + NvmfTierKeys.STORAGE_PORT + ", "
                        + NvmfTierKeys.STORAGE_NQN + " and " + NvmfTierKeys.STORAGE_NAMESPACE
                        + ", and that the target runs and admits this host",
                e);
    }

    /** Marks the range as this datanode's, not before: a range that is refused may hold another one's data. */
    @Override
    public void onRegistered() throws CrailException {
        try {
            watch.start();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    @Override
    public InetSocketAddress address() {
        return InetSocketAddress.createUnresolved(
                settings.target().host(), settings.target().port());
    }

    @Override
    public String host() {
        return settings.target().host();
    }

    @Override
    public String locator() {
        return settings.target().locator(extent.begin());
    }

    @Override
    public String medium() {
        return medium;
    }

    @Override
    public synchronized Optional<Region> allocateRegion() throws CrailException {
        if (closed) {
            throw new ClosedException("the datanode has been closed and offers nothing");
        }
        long length = Math.min(settings.regionBytes(), extent.end() - offered);
        if (length == 0) {
            return Optional.empty();
        }
        Region region = new Region(offered - extent.firstBlock(), offered, length, 0);
        offered += length;
        return Optional.of(region);
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public boolean isAlive() {
        return watch.isAlive();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        watch.close();
    }
}
