/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.message.LookupRequest;
import org.junit.jupiter.api.Test;

class NodeIdTest {
    private static long rootOfNamenodeStartedAt(long ms) throws Exception {
        NamenodeClock clock = new NamenodeClock() {
            @Override
            public long nanoTime() {
                return TimeUnit.MILLISECONDS.toNanos(ms);
            }

            @Override
            public long currentTimeMillis() {
                return ms;
            }
        };
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        NameNodeService namenode = new NameNodeService(NamenodeSettings.of(conf, ms), clock);
        return namenode.lookup(new LookupRequest(CrailPath.ROOT, false)).file().getFd();
    }

    /** Clients may still hold ids that a namenode gave before it was started again. */
    @Test
    void shouldGiveOtherIdsAfterAnotherStartWhateverTheClockSays() throws Exception {
        long startMs = 1_800_000_000_000L;
        long former = rootOfNamenodeStartedAt(startMs);
        for (long ms : new long[] {startMs, startMs - 1000}) {
            long latter = rootOfNamenodeStartedAt(ms);
            assertThat(latter).isPositive();
            assertThat(Math.abs(latter - former)).isGreaterThan(1_000_000_000L);
        }
    }
}
