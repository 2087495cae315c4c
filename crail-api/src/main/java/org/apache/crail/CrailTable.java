/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A table: holds key-values. Thread safe as {@link CrailContainer}.
 *
 * <p>Each method below does all that one value needs, and none waits for a server. A key is one component of a path, of
 * 1 to 255 bytes of UTF-8. Any number of calls may be made without waiting for the former ones. A store has at most
 * 4,096 of them and 64 MiB of their values in flight, or one longer value. A call beyond that begins when there is
 * room. Its thread waits for that, unless it is interrupted or completes a future. Values are held in memory as a
 * whole; use streams for those that are longer than some MiB.
 *
 * <pre>{@code
 * store.create("/scores", CrailNodeType.TABLE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true).get();
 * CrailTable scores = store.lookup("/scores").get().asTable();
 * CompletableFuture<Void> put = scores.put("ada", new byte[] {18, 15});
 * CompletableFuture<byte[]> value = put.thenCompose(done -> scores.get("ada"));
 * }</pre>
 *
 * <p>The table is found by its path with each call. Nobody checks whether it is still there: without it there is no key
 * to get or delete, and a put fails. If a directory has taken its path, puts go there, and {@code delete} also deletes
 * a file or an empty directory.
 *
 * <p>The caller's memory is in use until the very future is done that a method gives. A future that is made of it may
 * be done before, such as those of {@code orTimeout} and {@code completeOnTimeout}. The future cannot be completed or
 * cancelled by others. What is chained to it must not block, and must not close the store.
 *
 * <p>Failures show in the futures, as {@link org.apache.crail.error.CrailException}s: {@code InvalidPathException} for
 * a malformed key, {@code NodeTypeMismatchException} if the container is no table or the key is no key-value,
 * {@code ParentNotFoundException} if the table of a put has been deleted, {@code NoFreeBlocksException}, {@code
 * DatanodeLostException}, {@code OperationTimeoutException}, {@code ClosedException}.
 */
public interface CrailTable extends CrailContainer {
    /**
     * Stores a value; completes when everybody sees it. The last put of a key wins: of puts in flight at the same time
     * the one that ends last, not the one that was called last.
     *
     * @param value must not be changed until the future is done
     */
    default CompletableFuture<Void> put(String key, byte[] value) {
        return put(key, ByteBuffer.wrap(value));
    }

    /**
     * As {@link #put(String, byte[])}.
     *
     * @param value from its position to its limit, which do not change; direct memory saves a copy
     */
    default CompletableFuture<Void> put(String key, ByteBuffer value) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /**
     * As {@link #put(String, ByteBuffer)}; the value goes by itself.
     *
     * @param timeToLive from when it is visible; zero for no limit, whatever the table has
     */
    default CompletableFuture<Void> put(String key, ByteBuffer value, Duration timeToLive) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /**
     * Fetches a value.
     *
     * @return an array of its own; null if the key does not exist. A key that is being put for the first time has an
     *     empty value
     */
    default CompletableFuture<byte[]> get(String key) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /**
     * Fetches a value into the caller's memory, which must not be touched until the future is done. The buffer's
     * position is then behind the value.
     *
     * @param target that can be written, with room for the value between its position and its limit; else the future
     *     fails with {@code InvalidRequestException} or {@code PositionOutOfRangeException}, and nothing is changed
     * @return how many bytes the value has; null if the key does not exist
     */
    default CompletableFuture<Integer> get(String key, ByteBuffer target) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /**
     * Deletes a value.
     *
     * @return whether there was one
     */
    default CompletableFuture<Boolean> delete(String key) {
        throw new UnsupportedOperationException(getClass().getName() + " has streams only");
    }

    /** Stores several values; completes when all are visible, or all have ended and one has failed. */
    default CompletableFuture<Void> putAll(Map<String, byte[]> values) {
        CompletableFuture<?>[] puts = values.entrySet().stream()
                .map(entry -> put(entry.getKey(), entry.getValue()))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(puts);
    }

    /** Fetches several values; keys that do not exist are left out. */
    default CompletableFuture<Map<String, byte[]>> getAll(Collection<String> keys) {
        return ValueMaps.collect(keys, this::get);
    }
}
