/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks for threads that should be gone. Stateless. */
final class DarpcThreads {
    private DarpcThreads() {}

    static void assertGone() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("crail-darpc-")) {
                thread.join(30_000); // it has done its work, but may not be gone
                assertThat(thread.isAlive()).as(thread.toString()).isFalse();
            }
        }
    }
}
