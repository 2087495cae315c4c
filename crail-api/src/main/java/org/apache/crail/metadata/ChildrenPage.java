/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.util.List;

/**
 * A page of the listing of a container. Immutable.
 *
 * @param children in the order of listings; not empty unless the page is the last one
 * @param isLast whether the container held nothing more when the page was made; a listing that ends there has ended,
 *     however many are created meanwhile
 */
public record ChildrenPage(List<NodeStatus> children, boolean isLast) {
    /** By what the next page is to be asked for; there must be one. */
    public String lastName() {
        return children.get(children.size() - 1).name();
    }
}
