/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;

/** Tells where the blocks of nodes lie; waits for the namenode. Thread safe. */
public final class BlockLocator {
    private final MetadataCalls calls;
    private final HostMap hosts;
    private final int replicas;

    private BlockLocator(MetadataCalls calls, HostMap hosts, int replicas) {
        this.calls = calls;
        this.hosts = hosts;
        this.replicas = replicas;
    }

    private record Node(String path, long fd, long capacity) {}

    /** Makes the one of a store. */
    public static BlockLocator of(MetadataCalls calls, CrailConfiguration conf) throws Exception {
        return new BlockLocator(calls, HostMap.of(conf), conf.get(CrailKeys.SHADOW_REPLICATION));
    }

    /**
     * One location per block of the range that exists; none if the node has no block and the range begins where the
     * first would be.
     *
     * @param path of the node, for messages
     * @param fd its id
     * @param capacity its bytes
     * @param start of the range in bytes
     * @param length of the range in bytes
     */
    public CrailBlockLocation[] locate(String path, long fd, long capacity, long start, long length)
            throws IOException {
        checkRange(path, start, length);
        if (length == 0) {
            return new CrailBlockLocation[0];
        }
        long end = end(start, length);
        long first = calls.settings().blockIndex(start);
        List<BlockInfo> blocks =
                blocks(new Node(path, fd, capacity), first, calls.settings().blockIndex(end - 1));
        return locations(blocks, first, Math.max(capacity, 0), end).toArray(CrailBlockLocation[]::new);
    }

    public static void checkRange(String path, long start, long length) throws PositionOutOfRangeException {
        if (start < 0 || length < 0) {
            throw new PositionOutOfRangeException("Invalid start or len parameter: cannot locate " + length
                    + " bytes from " + start + " on of " + path + "; neither may be negative");
        }
    }

    /** Where a range ends that may be said to be longer than any file. */
    static long end(long start, long length) {
        return length > Long.MAX_VALUE - start ? Long.MAX_VALUE : start + length;
    }

    /**
     * The locations of the blocks from {@code first} on, clipped to the file, and those behind its end to the range.
     */
    List<CrailBlockLocation> locations(List<BlockInfo> blocks, long first, long fileEnd, long end) {
        List<CrailBlockLocation> locations = new ArrayList<>(blocks.size());
        for (int i = 0; i < blocks.size(); i++) {
            long offset = (first + i) * calls.settings().blockSizeBytes();
            long stop = fileEnd > offset ? fileEnd : end;
            long bytes = Math.min(calls.settings().blockSizeBytes(), stop - offset);
            locations.add(new CoreBlockLocation(offset, bytes, named(blocks, i, replicas), hosts));
        }
        return locations;
    }

    private List<BlockInfo> blocks(Node node, long first, long last) throws IOException {
        List<BlockInfo> found = new ArrayList<>();
        boolean more = true;
        while (more && first + found.size() <= last) {
            long next = first + found.size();
            int count = (int) Math.min(BlockMapper.MAX_BATCH, last - next + 1);
            List<BlockInfo> part = map(node, next, count, found.isEmpty());
            found.addAll(part);
            more = part.size() == count;
        }
        return found;
    }

    private List<BlockInfo> map(Node node, long index, int count, boolean mustExist) throws IOException {
        long position = index * calls.settings().blockSizeBytes();
        try {
            MapResponse response = calls.await(
                    "locating " + node.path(),
                    calls.router().askForNode(node.fd(), new MapRequest(node.fd(), 0, position, count)));
            return response.blocks();
        } catch (CrailException e) {
            if (e.code() != ErrorCode.POSITION_OUT_OF_RANGE) {
                throw e;
            }
            if (mustExist && index > 0) {
                throw new PositionOutOfRangeException(
                        "Offset too large: " + node.path() + " has no block at " + position + "; it has "
                                + node.capacity() + " bytes",
                        e);
            }
            return List.of();
        }
    }

    /** The datanode of block {@code index}, then other datanodes of the range, each once. */
    private static List<DataNodeInfo> named(List<BlockInfo> blocks, int index, int replicas) {
        Set<DataNodeInfo> named = new LinkedHashSet<>();
        for (int i = 0; i < blocks.size() && named.size() < replicas; i++) {
            named.add(blocks.get((index + i) % blocks.size()).getDnInfo());
        }
        return List.copyOf(named);
    }
}
