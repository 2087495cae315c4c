/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.CrailPath;
import org.apache.crail.core.call.CoreMetadataOperation;
import org.apache.crail.error.ErrorCode;

/**
 * A call for a value in flight: its result is what the namenode has answered, or null if no node has the path. Thread
 * safe.
 */
final class ValueAnswer<R> extends CoreMetadataOperation<R, R> {
    private final String deed;
    private final CrailPath path;
    private final boolean mayBeMissing;
    private final CoreDataStore store;
    private long sentNs;

    /**
     * Makes an operation; its request is to be sent now.
     *
     * @param deed what is done to the path, for messages
     * @param mayBeMissing whether a path without a node is no failure
     */
    ValueAnswer(CoreDataStore store, String deed, CrailPath path, boolean mayBeMissing) {
        super(store.calls());
        this.store = store;
        this.deed = deed;
        this.path = path;
        this.mayBeMissing = mayBeMissing;
        this.sentNs = store.parts().blocks().nowNs();
    }

    @Override
    protected R succeeded(R response) {
        sentNs += delayNs(); // it may have waited for blocks
        return response;
    }

    @Override
    protected boolean meansNothing(ErrorCode code) {
        return mayBeMissing && LookupOperation.meansMissing(code);
    }

    /** When the request was sent that has been answered, by the store's clock; known once the answer is. */
    long sentNs() {
        return sentNs;
    }

    /** When a lease ends that the answer has given. */
    long expiryNs() {
        return store.parts().blocks().expiryNs(sentNs);
    }

    @Override
    public String toString() {
        return deed + " " + path;
    }
}
