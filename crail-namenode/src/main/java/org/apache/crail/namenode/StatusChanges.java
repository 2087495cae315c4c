/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.charset.StandardCharsets;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.rpc.message.ChangeRequest;
import org.apache.crail.rpc.message.StatusResponse;

/** Sets owner, group, permission, times and lifetimes of nodes. Not thread safe; needs the namespace's write lock. */
final class StatusChanges {
    private final Tree tree;
    private final NodeDescriptions descriptions;
    private final NodeLifetimes lifetimes;
    private final NamenodeClock clock;

    StatusChanges(Namespace namespace) {
        this.tree = namespace.tree();
        this.descriptions = namespace.descriptions();
        this.lifetimes = namespace.lifetimes();
        this.clock = namespace.clock();
    }

    StatusResponse change(ChangeRequest request) throws CrailException {
        Node node = tree.require(request.path());
        StatusChange change = request.change();
        Ownership ownership = merge(node.ownership(), change);
        check(request.path(), ownership);
        checkLifetime(request.path(), change);

        if (!ownership.equals(node.ownership())) {
            tree.changeOwnership(node, ownership);
        }
        if (change.modificationTimeMs() != StatusChange.KEEP_TIME) {
            node.modifiedMs(change.modificationTimeMs());
        }
        if (change.accessTimeMs() != StatusChange.KEEP_TIME) {
            tree.accessMs(node, change.accessTimeMs());
        }
        lifetimes.change(node, change, clock.nanoTime());
        return new StatusResponse(descriptions.status(node));
    }

    private static Ownership merge(Ownership former, StatusChange change) {
        return new Ownership(
                change.owner() == null ? former.owner() : change.owner(),
                change.group() == null ? former.group() : change.group(),
                change.permission() == StatusChange.KEEP ? former.permission() : change.permission());
    }

    private static void checkLifetime(CrailPath path, StatusChange change) throws InvalidRequestException {
        NodeLifetimes.check(path, "time to live", change.timeToLiveMs());
        NodeLifetimes.check(path, "end in", change.endsInMs());
        if (path.isRoot() && change.endsInMs() > 0) {
            throw new InvalidRequestException(
                    "cannot end /: the root always exists; give it a time to live, which new nodes inherit");
        }
    }

    /** Refuses what no node can have. */
    static void check(CrailPath path, Ownership ownership) throws InvalidRequestException {
        checkName(path, "owner", ownership.owner());
        checkName(path, "group", ownership.group());
        if (ownership.permission() < 0 || ownership.permission() > Ownership.MAX_PERMISSION) {
            throw new InvalidRequestException("cannot give " + path + " the permission "
                    + Integer.toOctalString(ownership.permission()) + ": permissions run from 0 to "
                    + Integer.toOctalString(Ownership.MAX_PERMISSION) + " (octal)");
        }
    }

    private static void checkName(CrailPath path, String what, String name) throws InvalidRequestException {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Ownership.MAX_NAME_BYTES) {
            throw new InvalidRequestException("cannot give " + path + " to this " + what + ": the name has " + bytes
                    + " bytes; at most " + Ownership.MAX_NAME_BYTES + " are allowed");
        }
    }
}
