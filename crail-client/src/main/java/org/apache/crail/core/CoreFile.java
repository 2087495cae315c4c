/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailPath;
import org.apache.crail.core.block.BlockCache;
import org.apache.crail.core.block.FileBlocks;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.block.WriteToken;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.SyncRequest;

/**
 * A file or key-value, as far as this object knows it: a capacity that the namenode has told, and what an output stream
 * of this object has written behind that. The latter can be read as long as the node has the layout in which it was
 * written; later, another writer may have given the node other blocks. All methods are thread safe.
 */
class CoreFile extends CoreNode implements CrailFile, CrailKeyValue {
    /** How long to wait for a taken token at first, and at the last attempt; twice as long each time, 63 ms in all. */
    private static final long FIRST_PAUSE_MS = 1;

    private static final long LAST_PAUSE_MS = 32;

    /** The locations that are known; never of an earlier layout than {@link #confirmed}. */
    private final FileBlocks blocks;

    private final boolean isPlaced;

    /** Guards changes of what is known of the capacity. */
    private final Object capacityLock = new Object();

    private volatile long confirmed;
    private volatile long written;
    private volatile long writtenLayout;

    /** Null if this object must ask for the token before it writes. Guarded by this. */
    private WriteToken token;

    /** The latest output stream; null if there was none. Guarded by this. */
    private CoreOutputStream writer;

    /** A node as the namenode has just told of it, in answer to a request sent at {@code sentNs}. */
    CoreFile(CoreDataStore store, FileInfo info, String path, long sentNs, boolean isPlaced) {
        super(store, info, path);
        this.isPlaced = isPlaced;
        BlockCache known = store.parts().blocks();
        this.blocks = known.file(info.getFd());
        known.heard(blocks, info.layout());
        this.confirmed = info.getCapacity();
        if (info.getToken() != 0) {
            this.token = new WriteToken(info, known.expiryNs(sentNs));
        }
    }

    @Override
    public long getCapacity() {
        long layout = writtenLayout; // before what is of that layout
        long ahead = written; // before what is confirmed, which takes its place
        long told = confirmed;
        if (ahead <= told || blocks.layout() == layout) {
            return Math.max(told, ahead);
        }
        synchronized (capacityLock) {
            return confirmed; // the layout may be of a confirmation under way
        }
    }

    /**
     * Whether the file has as many bytes; asked behind a read, as what has been written may have been lost meanwhile.
     */
    boolean reaches(long bytes) {
        return bytes <= getCapacity();
    }

    /** The locations of its blocks that are known. */
    FileBlocks blocks() {
        return blocks;
    }

    /** The namenode has told of a capacity; both may be older than what is known. */
    void confirmed(long capacity, long layout) {
        synchronized (capacityLock) {
            getFileSystem().parts().blocks().heard(blocks, layout);
            confirmed = Math.max(confirmed, capacity);
        }
    }

    /** The node has ended with a capacity, and has no blocks behind it any more. */
    void closed(long capacity, long layout) {
        int blockSizeBytes = getFileSystem().parts().settings().blockSizeBytes();
        synchronized (capacityLock) {
            int kept = (int) ((capacity + blockSizeBytes - 1) / blockSizeBytes);
            getFileSystem().parts().blocks().truncated(blocks, layout, kept);
            confirmed = Math.max(confirmed, capacity);
        }
    }

    /**
     * A stream of this object has written without a gap up to a position, into blocks of the layout that it began with;
     * 0 when the stream has ended, as nothing is believed that was never confirmed.
     */
    void written(long position) {
        written = position;
    }

    CrailPath parsedPath() {
        try {
            return CrailPath.parse(getPath());
        } catch (InvalidPathException e) {
            throw new IllegalStateException("the namenode knows the node " + getPath(), e);
        }
    }

    /** Whether the node had its place in the tree when this object learnt of it. */
    boolean isPlaced() {
        return isPlaced;
    }

    @Override
    public long getToken() {
        return info().getToken();
    }

    /** Whether no output stream of this object is open. */
    public synchronized boolean tokenFree() {
        return writer == null || writer.isFinished();
    }

    @Override
    public CrailInputStream getDirectInputStream(long readHint) throws Exception {
        getFileSystem().checkOpen();
        return new CoreInputStream(this, readHint);
    }

    @Override
    public synchronized CrailOutputStream getDirectOutputStream(long writeHint) throws Exception {
        if (getToken() == 0) {
            throw new InvalidRequestException("File is in read mode, cannot create outputstream, fd " + getFd() + ": "
                    + getPath() + " was looked up; use openForAppend to take over its write token");
        }
        return openOutput(writeHint, true);
    }

    @Override
    public synchronized CrailOutputStream openForAppend(long writeHint) throws Exception {
        return openOutput(writeHint, true);
    }

    /**
     * Opens the first stream of a node that has just been created, without asking the namenode.
     *
     * @throws StaleNodeException if the answer took so long that the namenode has given the token up
     */
    synchronized CoreOutputStream openCreated(long writeHint) throws IOException {
        return openOutput(writeHint, false);
    }

    private CoreOutputStream openOutput(long writeHint, boolean mayAsk) throws IOException {
        getFileSystem().checkOpen();
        if (!tokenFree()) {
            throw new InvalidRequestException(
                    "Only one concurrent output stream per file allowed: " + getPath() + " has one; close it first");
        }
        BlockCache known = getFileSystem().parts().blocks();
        if (token == null || token.isLost(known.nowNs(), known.leaseNs())) {
            if (!mayAsk) {
                throw new StaleNodeException("cannot write node " + getFd() + " at " + getPath()
                        + ": its write token has not been used for too long; create it again");
            }
            token = takeToken();
        }
        written = 0;
        writtenLayout = token.layout();
        writer = new CoreOutputStream(this, token, writeHint);
        token = null;
        return writer;
    }

    /**
     * Asks for the write token until it is free, or is not going to be soon: who has closed may be about to give it
     * back.
     */
    private WriteToken takeToken() throws IOException {
        for (long pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
            try {
                return askForToken();
            } catch (TokenTakenException e) {
                if (pauseMs > LAST_PAUSE_MS) {
                    throw e;
                }
            }
            Waiting.pause("waiting for the write token of " + getPath(), pauseMs);
        }
    }

    private WriteToken askForToken() throws IOException {
        StoreParts parts = getFileSystem().parts();
        CrailPath path = parsedPath();
        long sentNs = parts.blocks().nowNs();
        PendingCall<LookupResponse> asked = parts.router().askForPath(path, new LookupRequest(path, true));
        LookupResponse response;
        try {
            response = parts.calls().await("taking the write token of " + getPath(), asked);
        } catch (InterruptedIOException e) {
            CompletableFuture<?> ignored = asked.thenAccept(late -> giveBack(late.file()));
            throw e;
        }
        FileInfo found = response.file();
        if (found.getFd() != getFd()) {
            giveBack(found);
            throw new StaleNodeException(
                    "cannot write: " + isElsewhere() + "; look the path up again, or create the node again");
        }
        parts.blocks().seed(found, response.firstBlock(), sentNs);
        confirmed(found.getCapacity(), found.layout());
        return new WriteToken(found, parts.blocks().expiryNs(sentNs));
    }

    /**
     * Whether another object may be completing its first put. Not while this one writes, or is going to: until it has
     * told of its bytes there are none, and the path may lead to what the node is to replace.
     */
    boolean mayGetFirstBytes() {
        return getType() == CrailNodeType.KEYVALUE && getCapacity() == 0 && !isWriting();
    }

    private synchronized boolean isWriting() {
        return token != null || !tokenFree();
    }

    private String isElsewhere() {
        return getPath() + " leads to another node, which has replaced this one, or was to be replaced by it";
    }

    /** Asks the namenode for the capacity; fails with StaleNodeException if the path leads to this node no more. */
    void lookAgain() throws IOException {
        StoreParts parts = getFileSystem().parts();
        CrailPath path = parsedPath();
        PendingCall<LookupResponse> asked = parts.router().askForPath(path, new LookupRequest(path, false));
        FileInfo found;
        try {
            found = parts.calls().await("looking " + path + " up again", asked).file();
        } catch (NodeNotFoundException e) {
            throw new StaleNodeException(path + " leads to this node no more; look the path up again", e);
        }
        if (found.getFd() != getFd()) {
            throw new StaleNodeException(isElsewhere() + "; look the path up again");
        }
        confirmed(found.getCapacity(), found.layout());
    }

    /**
     * Closes a node whose token was taken by mistake, or for somebody who has gone, with the bytes that it has; if that
     * fails, the token expires. What its former writer, whose token had expired, has not synced is gone as with any
     * close.
     */
    private void giveBack(FileInfo taken) {
        Object ignored = getFileSystem()
                .parts()
                .router()
                .callForNode(
                        taken.getFd(),
                        new SyncRequest(taken.getFd(), taken.getToken(), taken.getCapacity(), SyncRequest.End.CLOSED));
    }

    @Override
    public CoreFile asFile() throws Exception {
        return as(CrailNodeType.DATAFILE);
    }

    @Override
    public CoreFile asKeyValue() throws Exception {
        return as(CrailNodeType.KEYVALUE);
    }

    private CoreFile as(CrailNodeType wanted) throws Exception {
        if (getType() != wanted) {
            throw mismatch(wanted.name());
        }
        return this;
    }
}
