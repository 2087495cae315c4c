/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.function.Function;
import org.apache.crail.core.call.CoreMetadataOperation;
import org.apache.crail.error.ErrorCode;

/**
 * An operation whose result is a part of the answer, without anything that follows it. Thread safe.
 *
 * @param <R> what the namenode answers
 * @param <T> the result
 */
final class NamespaceOperation<R, T> extends CoreMetadataOperation<R, T> {
    private final String deed;
    private final Object object;
    private final Function<R, T> result;
    private final boolean nullIfMissing;

    /**
     * Makes one for a request that is to be sent now.
     *
     * @param deed what is done, for messages
     * @param object to what
     * @param nullIfMissing whether a missing path is no failure
     */
    NamespaceOperation(CoreDataStore store, String deed, Object object, Function<R, T> result, boolean nullIfMissing) {
        super(store.calls());
        this.deed = deed;
        this.object = object;
        this.result = result;
        this.nullIfMissing = nullIfMissing;
    }

    @Override
    protected T succeeded(R response) {
        return result.apply(response);
    }

    @Override
    protected boolean meansNothing(ErrorCode code) {
        return nullIfMissing && LookupOperation.meansMissing(code);
    }

    @Override
    public String toString() {
        return deed + " " + object;
    }
}
