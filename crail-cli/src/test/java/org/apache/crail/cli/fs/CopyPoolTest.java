/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CopyPoolTest {
    private final AtomicInteger copies = new AtomicInteger();
    private final CopyPool pool = new CopyPool(new MkdirCommand(null), 1);

    @Test
    void shouldBeginNoFurtherCopyWhenTheThreadThatListsATreeIsInterrupted() throws Exception {
        pool.submit("first", copies::incrementAndGet);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pool.submit("second", copies::incrementAndGet))
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("second");
        pool.finish();
        assertThat(copies).hasValue(1);
    }
}
