/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;

/**
 * The block locations that a store knows, by node, each with a lease. Bounded: when it grows beyond its limit, nodes
 * whose leases are over go first, then any. All methods are thread safe.
 */
public final class BlockCache {
    public static final int DEFAULT_LIMIT = 128 * 1024;

    private final ConcurrentHashMap<Long, FileBlocks> files = new ConcurrentHashMap<>();

    private final AtomicLong weight = new AtomicLong();
    private final AtomicBoolean evicting = new AtomicBoolean();
    private final LongSupplier nanoClock;
    private final long leaseNs;
    private final long limit;

    public BlockCache(LongSupplier nanoClock, long leaseNs, long limit) {
        this.nanoClock = nanoClock;
        this.leaseNs = leaseNs;
        this.limit = limit;
    }

    /** The time that leases are measured with. */
    public long nowNs() {
        return nanoClock.getAsLong();
    }

    /** How long a lease is. */
    public long leaseNs() {
        return leaseNs;
    }

    /** When the lease ends that a request sent at {@code sentNs} confirms. */
    public long expiryNs(long sentNs) {
        return sentNs + leaseNs;
    }

    /** The locations of a node, which stay usable by the holder if they are evicted. */
    public FileBlocks file(long fd) {
        FileBlocks known = files.get(fd);
        if (known != null) {
            return known;
        }
        FileBlocks fresh = new FileBlocks();
        FileBlocks raced = files.putIfAbsent(fd, fresh);
        if (raced != null) {
            return raced;
        }
        grown(1);
        return fresh;
    }

    /** Keeps a location of a node, which is of a layout. */
    void put(FileBlocks blocks, LeasedBlock block, long layout) {
        grown(blocks.put(block, layout));
    }

    /** A layout of a node has been heard of; see {@link FileBlocks#heard}. */
    public void heard(FileBlocks blocks, long layout) {
        grown(blocks.heard(layout));
    }

    /** A node has been truncated; see {@link FileBlocks#truncated}. */
    public void truncated(FileBlocks blocks, long layout, int kept) {
        grown(blocks.truncated(layout, kept));
    }

    /**
     * Keeps what the namenode has told of a node: its layout, and its first block, null if it has none or cannot be
     * reached.
     */
    public void seed(FileInfo node, BlockInfo firstBlock, long sentNs) {
        if (node.getType().isContainer()) {
            return;
        }
        FileBlocks blocks = file(node.getFd());
        if (firstBlock != null && (node.getCapacity() > 0 || node.getToken() != 0)) { // else nothing is in it yet
            put(blocks, new LeasedBlock(0, firstBlock, expiryNs(sentNs)), node.layout());
        } else {
            heard(blocks, node.layout());
        }
    }

    /** Forgets a node, for its present users too. */
    public void purge(long fd) {
        FileBlocks known = files.remove(fd);
        if (known != null) {
            weight.addAndGet(-known.weight());
            known.clear();
        }
    }

    /** Forgets everything. */
    public void clear() {
        files.keySet().forEach(this::purge);
    }

    /** Nodes of which something is known. */
    int files() {
        return files.size();
    }

    private void grown(int added) {
        if (added != 0 && weight.addAndGet(added) > limit && evicting.compareAndSet(false, true)) {
            try {
                evict();
            } finally {
                evicting.set(false);
            }
        }
    }

    /** Weighs anew what stays, since tables that had been evicted before may have grown in the hands of their users. */
    private void evict() {
        long nowNs = nowNs();
        files.values().removeIf(blocks -> blocks.isExpired(nowNs));
        long kept = 0;
        for (Iterator<FileBlocks> it = files.values().iterator(); it.hasNext(); ) {
            int added = it.next().weight();
            if (kept + added > limit / 2) {
                it.remove();
            } else {
                kept += added;
            }
        }
        weight.set(kept);
    }
}
