/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.Iterator;
import org.apache.crail.CrailContainer;
import org.apache.crail.CrailDirectory;
import org.apache.crail.CrailMultiFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailTable;
import org.apache.crail.metadata.FileInfo;

/** A directory, multi-file or table. All methods are thread safe. */
class CoreDirectory extends CoreNode implements CrailContainer, CrailDirectory, CrailMultiFile, CrailTable {
    CoreDirectory(CoreDataStore store, FileInfo info, String path) {
        super(store, info, path);
    }

    @Override
    public int files() {
        return info().children();
    }

    @Override
    public Iterator<String> listEntries() throws Exception {
        return getFileSystem().listEntries(getPath());
    }

    @Override
    public CoreDirectory asContainer() {
        return this;
    }

    @Override
    public CoreDirectory asDirectory() throws Exception {
        return as(CrailNodeType.DIRECTORY);
    }

    @Override
    public CrailMultiFile asMultiFile() throws Exception {
        return as(CrailNodeType.MULTIFILE);
    }

    @Override
    public CrailTable asTable() throws Exception {
        return as(CrailNodeType.TABLE);
    }

    private CoreDirectory as(CrailNodeType wanted) throws Exception {
        if (getType() != wanted) {
            throw mismatch(wanted.name());
        }
        return this;
    }
}
