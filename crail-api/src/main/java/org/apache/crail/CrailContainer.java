/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.Iterator;

/** A node that holds other nodes. All methods are thread safe; iterators are not. */
public interface CrailContainer extends CrailNode {
    /** The number of enumerable children when this handle was made. */
    int files();

    /**
     * Lists the full paths of the enumerable children as they are now, in no particular order. Children that are
     * created or deleted meanwhile may or may not be seen; a deleted one is never seen after its deletion completed
     * before the listing began. Behind the last child {@code next} gives null, as it always has; a failure of the store
     * shows as {@link java.io.UncheckedIOException}.
     *
     * @throws Exception {@link org.apache.crail.error.NodeNotFoundException} if the container does not exist any more,
     *     or another {@link org.apache.crail.error.CrailException}
     */
    Iterator<String> listEntries() throws Exception;
}
