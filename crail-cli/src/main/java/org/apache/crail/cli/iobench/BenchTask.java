/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.cli.console.Console;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.memory.OffHeapBuffer;

/**
 * What the thread of a test works on. Immutable.
 *
 * @param store its store; null for a test without one
 * @param conf the configuration
 * @param console for tests that only show something
 * @param options what the user wants
 * @param path the file, or the container
 * @param prefix what the names begin with that this thread creates below a container
 * @param sizeBytes the size of an operation
 * @param thread its number, from 0
 */
record BenchTask(
        CrailStore store,
        CrailConfiguration conf,
        Console console,
        BenchOptions options,
        String path,
        String prefix,
        int sizeBytes,
        int thread) {

    /** The same task on something else. */
    BenchTask on(String otherPath, String otherPrefix) {
        return new BenchTask(store, conf, console, options, otherPath, otherPrefix, sizeBytes, thread);
    }

    /** The path of a node that this thread creates. */
    String child(int index) {
        return path + "/" + prefix + index;
    }

    /** Creates a node as the options say. */
    Upcoming<CrailNode> create(String where, CrailNodeType type) throws Exception {
        return store.create(
                where,
                type,
                CrailStorageClass.get(options.storageClass()),
                type.isContainer() ? CrailLocationClass.PARENT : CrailLocationClass.get(options.locationClass()),
                !options.skipDirectory());
    }

    /** The node at the path. */
    CrailNode existing() throws Exception {
        return found(store.lookup(path).get());
    }

    /** The node that a lookup gave. */
    CrailNode found(CrailNode node) throws NodeNotFoundException {
        if (node == null) {
            throw new NodeNotFoundException(
                    path + " does not exist; create it, for example with crail iobench -t write -f " + path);
        }
        return node;
    }

    /** A buffer for one operation, filled. */
    CrailBuffer buffer() throws Exception {
        ByteBuffer bytes = ByteBuffer.allocateDirect(sizeBytes);
        SplittableRandom random = random();
        while (bytes.remaining() >= Long.BYTES) {
            bytes.putLong(random.nextLong());
        }
        bytes.clear();
        return OffHeapBuffer.wrap(bytes);
    }

    /** Numbers that are the same in every run. */
    SplittableRandom random() {
        return new SplittableRandom(thread);
    }
}
