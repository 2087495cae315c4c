/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.CrailNode;
import org.apache.crail.core.call.CoreMetadataOperation;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.LookupResponse;

/** A lookup in flight. Thread safe. */
final class LookupOperation extends CoreMetadataOperation<LookupResponse, CrailNode> {
    private final CoreDataStore store;
    private final String path;
    private final long sentNs;

    LookupOperation(CoreDataStore store, String path) {
        super(store.calls());
        this.store = store;
        this.path = path;
        this.sentNs = store.parts().blocks().nowNs();
    }

    @Override
    protected CrailNode succeeded(LookupResponse response) {
        FileInfo info = response.file();
        store.parts().blocks().seed(info, response.firstBlock(), sentNs);
        return CoreNode.create(store, info, path, sentNs);
    }

    @Override
    protected boolean meansNothing(ErrorCode code) {
        return meansMissing(code);
    }

    /** Whether a failure means that no node has the path. */
    static boolean meansMissing(ErrorCode code) {
        return code == ErrorCode.NODE_NOT_FOUND
                || code == ErrorCode.PARENT_NOT_FOUND
                || code == ErrorCode.PARENT_NOT_CONTAINER;
    }

    @Override
    public String toString() {
        return "looking up " + path;
    }
}
