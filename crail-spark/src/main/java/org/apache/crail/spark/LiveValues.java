/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Values of variables that somebody in this process still refers to, by their paths. Thread safe. */
final class LiveValues {
    private final Map<String, Named> values = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> cleared = new ReferenceQueue<>();

    private static final class Named extends WeakReference<Object> {
        private final String path;

        Named(String path, Object value, ReferenceQueue<Object> cleared) {
            super(value, cleared);
            this.path = path;
        }
    }

    /** Null if nobody refers to it. */
    Object get(String path) {
        Named found = values.get(path);
        return found == null ? null : found.get();
    }

    void put(String path, Object value) {
        for (Reference<?> each = cleared.poll(); each != null; each = cleared.poll()) {
            Named gone = (Named) each;
            values.remove(gone.path, gone);
        }
        if (value != null) {
            values.put(path, new Named(path, value, cleared));
        }
    }
}
