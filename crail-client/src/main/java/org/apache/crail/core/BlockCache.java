/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.crail.CrailPath;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;

/**
 * The block locations that a store knows, by node, each with a lease. Bounded: when it grows beyond its limit, nodes whose
 * leases are over go first, then any. All methods are thread safe.
 */
final class BlockCache {
    static final int DEFAULT_LIMIT = 128 * 1024;

    private final ConcurrentHashMap<Long, FileBlocks> files = new ConcurrentHashMap<>();

    /** Which node was last seen as the key-value of a path: a put tells only its path to those it replaces. */
    private final ConcurrentHashMap<CrailPath, Long> keyValues = new ConcurrentHashMap<>();

    private final AtomicLong weight = new AtomicLong();
    private final AtomicBoolean evicting = new AtomicBoolean();
    private final LongSupplier nanoClock;
    private final long leaseNs;
    private final long limit;

    BlockCache(LongSupplier nanoClock, long leaseNs, long limit) {
        this.nanoClock = nanoClock;
        this.leaseNs = leaseNs;
        this.limit = limit;
    }

    /** The time that leases are measured with. */
    long nowNs() {
        return nanoClock.getAsLong();
    }

    /** When the lease ends that a request sent at {@code sentNs} confirms. */
    long expiryNs(long sentNs) {
        return sentNs + leaseNs;
    }

    /** The locations of a node, which stay usable by the holder if they are evicted. */
    FileBlocks file(long fd) {
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

    /** Keeps a location of a node. */
    void put(long fd, LeasedBlock block) {
        put(file(fd), block);
    }

    /** Keeps a location of a node whose locations are {@code blocks}. */
    void put(FileBlocks blocks, LeasedBlock block) {
        int added = blocks.put(block);
        if (added > 0) {
            grown(added);
        }
    }

    /**
     * Keeps the first block of a node, as the namenode has told of it; that of an empty one for its writer only. None, which is null, means that an empty node has no
     * block, and the one that it had before is forgotten; of a node with bytes, that its datanode is silent, and what is known stays as good as its lease.
     */
    void seed(FileInfo node, BlockInfo firstBlock, long sentNs) {
        if (firstBlock != null) {
            if (node.getCapacity() > 0 || node.getToken() != 0) {
                put(node.getFd(), new LeasedBlock(0, firstBlock, expiryNs(sentNs)));
            }
            return;
        }
        FileBlocks known = node.getCapacity() > 0 ? null : files.get(node.getFd());
        if (known != null) {
            known.removeFirst(expiryNs(sentNs));
        }
    }

    /** Remembers which node is the key-value of a path. A node that it replaced is forgotten. */
    void keyValueSeen(CrailPath path, long fd) {
        if (keyValues.size() > limit) {
            keyValues.clear();
        }
        Long former = keyValues.put(path, fd);
        if (former != null && former < fd) {
            purge(former);
        }
    }

    /** Forgets what requests have told of a node that were sent before {@code sentNs}, also if that is yet to be put here. */
    void forgetBefore(long fd, long sentNs) {
        weight.addAndGet(-file(fd).forgetBefore(expiryNs(sentNs)));
    }

    /** Forgets a node, for its present users too. */
    void purge(long fd) {
        FileBlocks known = files.remove(fd);
        if (known != null) {
            weight.addAndGet(-known.weight());
            known.clear();
        }
    }

    /** Forgets everything. */
    void clear() {
        files.keySet().forEach(this::purge);
        keyValues.clear();
    }

    /** Nodes of which something is known. */
    int files() {
        return files.size();
    }

    private void grown(int added) {
        if (weight.addAndGet(added) > limit && evicting.compareAndSet(false, true)) {
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
