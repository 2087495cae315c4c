/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Puts the results of many gets together. Stateless. */
final class ValueMaps {
    private ValueMaps() {}

    /** A map in the order of the keys; completes when all gets have ended. */
    static CompletableFuture<Map<String, byte[]>> collect(
            Collection<String> keys, Function<String, CompletableFuture<byte[]>> get) {
        Map<String, CompletableFuture<byte[]>> gets = new LinkedHashMap<>();
        keys.forEach(key -> gets.computeIfAbsent(key, get));
        return CompletableFuture.allOf(gets.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    Map<String, byte[]> values = new LinkedHashMap<>();
                    gets.forEach((key, value) -> {
                        byte[] found = value.join();
                        if (found != null) {
                            values.put(key, found);
                        }
                    });
                    return values;
                });
    }
}
