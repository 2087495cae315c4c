/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class during which a buffer was lost. Thread safe. */
public final class LeakGuard implements BeforeAllCallback, AfterAllCallback {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
    private static final int COLLECTIONS = 3;

    @Override
    public void beforeAll(ExtensionContext context) {
        ByteBufUtil.setLeakListener((resourceType, records) -> LEAKS.add(resourceType + " " + records));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release(); // lost buffers are reported by an allocation
        }
        List<String> lost = List.copyOf(LEAKS);
        LEAKS.clear();
        if (!lost.isEmpty()) {
            throw new AssertionError("lost buffers: " + lost);
        }
    }
}
