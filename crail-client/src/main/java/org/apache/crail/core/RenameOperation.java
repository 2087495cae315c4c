/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.core.call.CoreMetadataOperation;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.rpc.message.MoveResponse;

/** A rename in flight. Thread safe. */
final class RenameOperation extends CoreMetadataOperation<MoveResponse, CrailNode> {
    private final CoreDataStore store;
    private final CrailPath source;
    private final CrailPath destination;
    private final boolean nullIfRefused;

    /** Makes one; {@code nullIfRefused} if missing or taken paths give null instead of a failure. */
    RenameOperation(CoreDataStore store, CrailPath source, CrailPath destination, boolean nullIfRefused) {
        super(store.calls());
        this.store = store;
        this.source = source;
        this.destination = destination;
        this.nullIfRefused = nullIfRefused;
    }

    @Override
    protected CrailNode succeeded(MoveResponse response) {
        return CoreNode.create(store, response.file(), response.path().toString(), 0);
    }

    @Override
    protected boolean meansNothing(ErrorCode code) {
        return nullIfRefused
                && (code == ErrorCode.NODE_NOT_FOUND
                        || code == ErrorCode.PARENT_NOT_FOUND
                        || code == ErrorCode.NODE_EXISTS);
    }

    @Override
    public String toString() {
        return "moving " + source + " to " + destination;
    }
}
