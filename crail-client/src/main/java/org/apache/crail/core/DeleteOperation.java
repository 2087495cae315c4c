/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.CrailNode;
import org.apache.crail.core.call.CoreMetadataOperation;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.RemoveResponse;

/** A delete in flight; this store forgets the node's blocks when it is gone. Thread safe. */
final class DeleteOperation extends CoreMetadataOperation<RemoveResponse, CrailNode> {
    private final CoreDataStore store;
    private final String path;

    DeleteOperation(CoreDataStore store, String path) {
        super(store.calls());
        this.store = store;
        this.path = path;
    }

    @Override
    protected CrailNode succeeded(RemoveResponse response) {
        FileInfo info = response.file();
        store.parts().blocks().purge(info.getFd());
        return CoreNode.create(store, info, path, 0);
    }

    @Override
    protected boolean meansNothing(ErrorCode code) {
        return LookupOperation.meansMissing(code);
    }

    @Override
    public String toString() {
        return "deleting " + path;
    }
}
