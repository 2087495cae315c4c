/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.core.call.CoreMetadataOperation;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;

/** A create in flight. Thread safe. */
final class CreateOperation extends CoreMetadataOperation<CreateResponse, CrailNode> {
    private final CoreDataStore store;
    private final CreateRequest request;
    private final String path;
    private final long askedNs;

    CreateOperation(CoreDataStore store, CreateRequest request, String path) {
        super(store.calls());
        this.store = store;
        this.request = request;
        this.path = path;
        this.askedNs = store.parts().blocks().nowNs();
    }

    @Override
    protected CrailNode succeeded(CreateResponse response) throws CrailException {
        FileInfo info = response.file();
        if (info.getType() != request.type()) {
            throw new NodeTypeMismatchException(this + ": file type mismatch, type " + info.getType() + " was created");
        }
        long sentNs = askedNs + delayNs(); // it may have waited for blocks
        store.parts().blocks().seed(info, response.firstBlock(), sentNs);
        return info.getType().isContainer()
                ? new CoreDirectory(store, info, path)
                : new CoreFile(store, info, path, sentNs, response.isPlaced());
    }

    @Override
    protected boolean meansNothing(ErrorCode code) {
        return false;
    }

    @Override
    public CrailNode early() throws Exception {
        if (request.type() == CrailNodeType.DATAFILE || request.type() == CrailNodeType.KEYVALUE) {
            return new CoreEarlyFile(store, path, request.type(), this);
        }
        return Waiting.await(toString(), this, store.calls().waitLimitMs());
    }

    @Override
    public String toString() {
        return "creating " + request.type() + " " + request.path();
    }
}
