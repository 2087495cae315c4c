/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.message.ChildrenRequest;

/** What the namenodes know of containers, listed or not. All methods are thread safe. */
final class Books {
    private Books() {}

    /** All children, by name. Asks all namenodes: below the root each has a part, elsewhere one has all. */
    static List<NodeStatus> children(Namenodes namenodes, CrailPath container)
            throws CrailException, InterruptedException {
        List<NodeStatus> children = new ArrayList<>();
        NodeNotFoundException missing = null;
        boolean found = false;
        for (Namenodes.Namenode namenode : namenodes.all()) {
            try {
                page(namenode, container, children);
                found = true;
            } catch (NodeNotFoundException e) {
                missing = e;
            }
        }
        if (!found && missing != null) {
            throw missing;
        }
        children.sort(Comparator.comparing(NodeStatus::name));
        return children;
    }

    private static void page(Namenodes.Namenode namenode, CrailPath container, List<NodeStatus> children)
            throws CrailException, InterruptedException {
        String after = "";
        ChildrenPage page;
        do {
            page = namenode.call(new ChildrenRequest(container, after, ChildrenRequest.MAX_COUNT))
                    .page();
            children.addAll(page.children());
            after = page.isLast() ? after : page.lastName();
        } while (!page.isLast());
    }
}
