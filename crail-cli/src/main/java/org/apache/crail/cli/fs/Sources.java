/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;

/**
 * Several paths of stores, and one that they go to: the new path of the only one, or a container for all. Immutable.
 *
 * @param paths the sources
 * @param target where they go
 * @param into whether the target is a container that exists
 */
record Sources(List<RemotePath> paths, RemotePath target, boolean into) {
    /** Reads arguments of which the last is the target; sources that do not exist are reported. */
    static Sources of(FsSubcommand command, Trees trees, List<String> arguments) throws Exception {
        int last = arguments.size() - 1;
        RemotePath target = trees.target(arguments.get(last));
        boolean into = isContainer(target);
        List<RemotePath> paths = command.expand(trees, arguments.subList(0, last));
        if (!into && paths.size() > 1) {
            throw new NodeTypeMismatchException(
                    target + " is no directory; several nodes can only go into one that exists");
        }
        if (!into && arguments.get(last).endsWith("/") && !(paths.size() == 1 && isContainer(paths.get(0)))) {
            throw new NodeNotFoundException(target + "/ is no directory that exists; create it with crail fs -mkdir -p,"
                    + " or leave the last / out to name a file");
        }
        return new Sources(paths, target, into);
    }

    /** Whether a path is that of a container. */
    static boolean isContainer(RemotePath path) throws Exception {
        CrailNode node = path.find();
        return node != null && node.getType().isContainer();
    }
}
