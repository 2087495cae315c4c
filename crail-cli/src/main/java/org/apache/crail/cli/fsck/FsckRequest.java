/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.NodeNotFoundException;

/**
 * What the user asks of fsck. Immutable.
 *
 * @param context console and cluster
 * @param path the node
 * @param offset first byte of the range
 * @param length bytes in the range
 * @param storageClass for a new directory
 * @param locationClass for a new directory
 * @param deletes whether what is found is deleted
 */
record FsckRequest(
        CliContext context,
        CrailPath path,
        long offset,
        long length,
        int storageClass,
        int locationClass,
        boolean deletes) {
    Console console() {
        return context.console();
    }

    CrailNode require(CrailStore store) throws Exception {
        CrailNode node = store.lookup(path.toString()).get();
        if (node == null) {
            throw new NodeNotFoundException(path + " does not exist; name an existing node with -f");
        }
        return node;
    }
}
