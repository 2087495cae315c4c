/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A bag of all files of a {@link FakeStore} below a path. */
final class FakeBag extends FakeNode implements CrailMultiFile {
    /** What lists the bag; null for what is in it. */
    Iterator<String> listing;

    FakeBag(FakeStore store, String path) {
        super(store, path, CrailNodeType.MULTIFILE);
    }

    private List<String> children() {
        List<String> children = new ArrayList<>();
        store.paths().forEach(path -> {
            if (path.startsWith(getPath() + "/")) {
                children.add(path);
            }
        });
        return children;
    }

    @Override
    public int files() {
        return children().size();
    }

    @Override
    public Iterator<String> listEntries() {
        return listing == null ? children().iterator() : listing;
    }

    @Override
    public long getCapacity() {
        return 0;
    }
}
