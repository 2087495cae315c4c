/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.util.NativeAffinity;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import org.junit.jupiter.api.Test;

/** What DiSNI asks when it starts, and the processors of a thread. */
final class SizesTest {
    private final NativeDispatcher natives = Natives.dispatcher();

    @Test
    void shouldHaveTheVersionThatDisniRequires() {
        assertThat(natives._getVersion()).isEqualTo(32);
        assertThat(RdmaVerbs.getVersion()).isEqualTo(32);
    }

    @Test
    void shouldTellTheSizesOfTheStructuresOfC() {
        assertThat(natives._getSockAddrInSize()).isEqualTo(16);
        assertThat(natives._getIbvRecvWRSize()).isEqualTo(32);
        assertThat(natives._getIbvSendWRSize()).isEqualTo(128);
        assertThat(natives._getIbvSgeSize()).isEqualTo(16);
        assertThat(natives._getIbvWCSize()).isEqualTo(48).isEqualTo(IbvWC.CSIZE);
        assertThat(natives._getRemoteAddressOffset()).isEqualTo(40);
        assertThat(natives._getRKeyOffset()).isEqualTo(48);
    }

    @Test
    void shouldBindAThreadToProcessorsAndSurviveAMaskThatTheSystemRefuses() {
        long before = NativeAffinity.getAffinity();
        long one = Long.lowestOneBit(before);
        NativeAffinity.setAffinity(one);
        assertThat(NativeAffinity.getAffinity()).isEqualTo(one);
        NativeAffinity.setAffinity(1L << 62); // no processor of this machine, so it stays as it is
        assertThat(NativeAffinity.getAffinity()).isEqualTo(one);
        NativeAffinity.setAffinity(before);
        assertThat(NativeAffinity.getAffinity()).isEqualTo(before);
    }
}
