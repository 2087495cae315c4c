/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PeerLogTest {
    @Test
    void shouldWriteNoLineOfSomebodyElsesMaking() {
        assertThat(PeerLog.printable("a\n2026 ERROR b\r\u2028c\u0000\u001b[2Jd\u202ee"))
                .isEqualTo("a?2026 ERROR b??c??[2Jd?e");
    }

    @Test
    void shouldCutLongText() {
        assertThat(PeerLog.printable("x".repeat(60_000))).hasSizeLessThan(400).endsWith("(60000 characters)");
    }

    @Test
    void shouldKeepWhatIsShortAndVisible() {
        assertThat(PeerLog.printable("größe/файл 1")).isEqualTo("größe/файл 1");
    }

    @Test
    void shouldLeaveOutLinesBeyondTheFirstFew() {
        PeerLog log = new PeerLog(LoggerFactory.getLogger(PeerLogTest.class));
        int written = 0;
        for (int i = 0; i < 10_000; i++) {
            written += log.admits() ? 1 : 0;
        }
        assertThat(written).isBetween(1, 100);
    }
}
