/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.metadata.MoveMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores bytes under a name of their own, which it moves to the target in the end. So a copy that fails leaves no node
 * behind, and what others have stored at its path as it is. All methods are thread safe.
 */
final class InterimCopy {
    private static final Logger LOG = LoggerFactory.getLogger(InterimCopy.class);

    private final NamespaceTree tree;
    private final ChannelToFile writer;
    private final boolean force;
    private final Map<CrailPath, CrailNodeType> typesBelow = new ConcurrentHashMap<>();

    /**
     * Makes a writer.
     *
     * @param progress told the number of bytes of each slice
     */
    InterimCopy(NamespaceTree tree, CopyOptions options, LongConsumer progress) {
        this.tree = tree;
        this.writer = new ChannelToFile(tree.store(), options.slices(), progress);
        this.force = options.force();
    }

    /**
     * Stores all bytes of a channel.
     *
     * @param sizeHint how many bytes there probably are
     */
    void copy(ReadableByteChannel source, CrailPath target, long sizeHint) throws Exception {
        CrailNodeType type = typeBelow(target.parent());
        boolean replacing = force || type.isKeyValue(); // of key-values, the last put wins
        CrailNode old = tree.find(target);
        if (old != null && !replacing) {
            throw exists(target, null);
        }
        if (old != null && old.getType().isContainer()) {
            throw new NodeExistsException(
                    target + " is a " + NamespaceTree.label(old.getType()) + " and is not replaced");
        }
        CrailPath unfinished = InterimName.beside(target);
        try {
            copy(source, unfinished, type, sizeHint, target, replacing);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // the API declares nothing narrower
            throw explained(e, unfinished, target);
        }
    }

    private void copy(
            ReadableByteChannel source,
            CrailPath unfinished,
            CrailNodeType type,
            long sizeHint,
            CrailPath target,
            boolean replacing)
            throws Exception {
        CrailNode node = tree.create(unfinished, type);
        boolean moved = false;
        try {
            writer.copy(source, NamespaceTree.file(node), sizeHint);
            CrailNode ignored = NamespaceTree.outcome(tree.store()
                    .namespace()
                    .move(
                            unfinished.toString(),
                            target.toString(),
                            replacing ? MoveMode.REPLACE : MoveMode.EXACT)); // either the old file or the new one
            moved = true;
        } finally {
            if (!moved) {
                discard(unfinished);
            }
        }
    }

    /** The store speaks of a name and a number that its user has never seen. */
    private static Exception explained(Exception failure, CrailPath unfinished, CrailPath target) {
        Throwable cause = FailureText.cause(failure);
        if (cause instanceof NodeExistsException) {
            return exists(target, cause);
        }
        if (cause instanceof NodeNotFoundException) {
            return new NodeNotFoundException(
                    target + " was not stored: its bytes, or the directory was deleted meanwhile; copy again", cause);
        }
        String message = FailureText.line(cause);
        String named = message.replace(unfinished.toString(), target.toString())
                .replaceAll(
                        "\\bnode -?\\d+",
                        target.toString().replace("\\", "\\\\").replace("$", "\\$"));
        return named.equals(message) ? failure : new IOException(named, cause);
    }

    private static NodeExistsException exists(CrailPath target, Throwable cause) {
        return new NodeExistsException(target + " exists; choose another name, or use -f to replace it", cause);
    }

    /** Below a table there are key-values, everywhere else files. */
    private CrailNodeType typeBelow(CrailPath parent) throws Exception {
        CrailNodeType known = typesBelow.get(parent);
        if (known != null) {
            return known;
        }
        CrailNode node = tree.find(parent);
        if (node == null) {
            throw new ParentNotFoundException(parent + " does not exist; create it with crail fs -mkdir -p");
        }
        CrailNodeType type = node.getType().isTable() ? CrailNodeType.KEYVALUE : CrailNodeType.DATAFILE;
        typesBelow.put(parent, type);
        return type;
    }

    /** Deletes what a failed copy left, even if the copy was interrupted. */
    private void discard(CrailPath unfinished) {
        try {
            NamespaceTree.outcome(tree.store().delete(unfinished.toString(), false));
        } catch (Exception e) { // the API declares nothing narrower; why the copy failed is what the user must learn
            LOG.warn(
                    "{} holds part of a copy that failed, and could not be deleted: {}",
                    unfinished,
                    FailureText.line(e));
        }
    }
}
