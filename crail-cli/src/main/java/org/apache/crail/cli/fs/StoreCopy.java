/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Progress;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;

/** Copies files from a store to the same or another one. {@link #tree} is called by one thread. */
final class StoreCopy {
    private final CopyPool pool;
    private final Progress progress;
    private final boolean preserve;
    private final NamespaceTree target;
    private final InterimCopy copies;

    StoreCopy(CopyPool pool, Progress progress, CopyOptions options, boolean preserve, NamespaceTree target) {
        this.pool = pool;
        this.progress = progress;
        this.preserve = preserve;
        this.target = target;
        this.copies = new InterimCopy(target, options, progress);
    }

    /** Copies a file, or a container with all that is below; files may still be on their way on return. */
    void tree(RemotePath source, NodeStatus status, CrailPath to) throws Exception {
        tree(source, status, System.nanoTime(), to);
    }

    private void tree(RemotePath source, NodeStatus status, long askedNs, CrailPath to) throws Exception {
        CrailNodeType type = status.file().getType();
        if (!type.isContainer()) {
            progress.expect(status.file().getCapacity());
            pool.submit(source.toString(), () -> file(source, status, askedNs, to));
            return;
        }
        target.makeContainer(to, type, source.toString());
        long listedNs = System.nanoTime();
        for (NodeStatus child : source.tree().statuses(source.path())) {
            RemotePath path = source.child(child.name());
            pool.attempt(path.toString(), () -> tree(path, child, listedNs, to.child(child.name())));
        }
        preserve(status, askedNs, to);
    }

    private void file(RemotePath source, NodeStatus status, long askedNs, CrailPath to) throws Exception {
        CrailNode node = source.require();
        CrailFile file = NamespaceTree.file(node);
        try (CrailBufferedInputStream in = file.getBufferedInputStream(file.getCapacity())) {
            copies.copy(new BytesOf(in), to, file.getCapacity());
        }
        preserve(status, askedNs, to);
        progress.fileDone();
    }

    private void preserve(NodeStatus status, long askedNs, CrailPath to) throws Exception {
        if (preserve) {
            Ownership of = status.ownership();
            Lifetime lifetime = status.lifetime();
            StatusChange change = new StatusChange(
                    of.owner(),
                    of.group(),
                    of.permission(),
                    status.file().getModificationTime(),
                    status.accessTimeMs(),
                    lifetime.timeToLiveMs(),
                    lifetime.hasEnd() ? leftMs(lifetime.remainingMs(), askedNs) : 0);
            target.change(to, change);
        }
    }

    /** What is left of a time now; at least 1 ms, as 0 stands for ever. */
    private static long leftMs(long remainingMs, long sinceNs) {
        return Math.max(1, remainingMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs));
    }

    /** The bytes of a stream as a channel. */
    private record BytesOf(CrailBufferedInputStream in) implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer into) throws java.io.IOException {
            return in.read(into);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        /** Left to the owner of the stream. */
        @Override
        public void close() {}
    }
}
