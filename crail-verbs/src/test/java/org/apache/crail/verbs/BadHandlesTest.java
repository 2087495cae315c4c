/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * P5: what is no handle of an open object is refused by every method, by an exception or, where Java declares none, by
 * -1.
 */
final class BadHandlesTest {
    /**
     * Zero, negative numbers, addresses, numbers that look like handles of each kind in places that were never used.
     */
    private static final List<Long> GARBAGE = garbage();

    private static final int EBADF = 9;
    private static final short TCP = 0x0106;

    private final NativeDispatcher natives = Natives.dispatcher();
    private final ByteBuffer memory = Natives.memory(4096);
    private final long address = MemoryUtils.getAddress(memory);

    /** A native method with one handle that is to be refused. */
    private interface Call {
        Object with(NativeDispatcher natives, long handle, long address) throws IOException;
    }

    private record Method(String name, Call call) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Method of(String name, Call call) {
        return new Method(name, call);
    }

    private static Method ofVoid(String name, VoidCall call) {
        return new Method(name, (natives, handle, address) -> {
            call.with(natives, handle, address);
            return null;
        });
    }

    private interface VoidCall {
        void with(NativeDispatcher natives, long handle, long address) throws IOException;
    }

    static Stream<Method> throwing() {
        return Stream.of(
                of("_createId", (n, h, a) -> n._createId(h, TCP)),
                of("_createQP", (n, h, a) -> n._createQP(h, h, h, h, 2, 1, 1, 0)),
                ofVoid("_bindAddr", (n, h, a) -> n._bindAddr(h, a)),
                ofVoid("_listen", (n, h, a) -> n._listen(h, 1)),
                ofVoid("_resolveAddr", (n, h, a) -> n._resolveAddr(h, 0, a, 1)),
                ofVoid("_resolveRoute", (n, h, a) -> n._resolveRoute(h, 1)),
                ofVoid("_connect", (n, h, a) -> n._connect(h, 0, 0, 0, (byte) 0)),
                ofVoid("_accept", (n, h, a) -> n._accept(h, 0, 0)),
                of("_allocPd", (n, h, a) -> n._allocPd(h)),
                of("_createCompChannel", (n, h, a) -> n._createCompChannel(h)),
                of("_createCQ", (n, h, a) -> n._createCQ(h, h, 1, 0)),
                of("_regMr", (n, h, a) -> n._regMr(h, a, 64, 7, a, a + 4, a + 8)),
                of("_expPrefetchMr", (n, h, a) -> n._expPrefetchMr(h, a, 1)),
                ofVoid("_deregMr", (n, h, a) -> n._deregMr(h)),
                ofVoid("_postSend", (n, h, a) -> n._postSend(h, a)),
                ofVoid("_postRecv", (n, h, a) -> n._postRecv(h, a)),
                of("_getCqEvent", (n, h, a) -> n._getCqEvent(h, -1)),
                of("_pollCQ", (n, h, a) -> n._pollCQ(h, 1, a)),
                of("_reqNotifyCQ", (n, h, a) -> n._reqNotifyCQ(h, 0)),
                of("_getContext", (n, h, a) -> n._getContext(h)),
                of("_getQpNum", (n, h, a) -> n._getQpNum(h)),
                of("_getContextFd", (n, h, a) -> n._getContextFd(h)),
                of("_getContextNumCompVectors", (n, h, a) -> n._getContextNumCompVectors(h)),
                of("_getPdHandle", (n, h, a) -> n._getPdHandle(h)));
    }

    static Stream<Method> returning() {
        return Stream.of(
                of("_getCmEvent", (n, h, a) -> n._getCmEvent(h, a, a + 8, 0)),
                of("_disconnect", (n, h, a) -> n._disconnect(h)),
                of("_destroyEventChannel", (n, h, a) -> n._destroyEventChannel(h)),
                of("_destroyCmId", (n, h, a) -> n._destroyCmId(h)),
                of("_destroyQP", (n, h, a) -> n._destroyQP(h)),
                of("_destroyEp", (n, h, a) -> n._destroyEp(h)),
                of("_getSrcAddr", (n, h, a) -> n._getSrcAddr(h, a)),
                of("_getDstAddr", (n, h, a) -> n._getDstAddr(h, a)),
                of("_queryOdpSupport", (n, h, a) -> n._queryOdpSupport(h)),
                of("_ackCqEvent", (n, h, a) -> n._ackCqEvent(h, 1)),
                of("_destroyCompChannel", (n, h, a) -> n._destroyCompChannel(h)),
                of("_deallocPd", (n, h, a) -> n._deallocPd(h)),
                of("_destroyCQ", (n, h, a) -> n._destroyCQ(h)));
    }

    @ParameterizedTest
    @MethodSource("throwing")
    void shouldThrowAndNameTheHandle(Method method) throws IOException {
        memory.putShort(0, (short) 2); // an IPv4 address where one is read
        for (long handle : GARBAGE) {
            assertThatThrownBy(() -> method.call.with(natives, handle, address))
                    .as("%s of %d", method, handle)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("handle " + handle + " is not an open ")
                    .hasMessageEndingWith("(errno " + EBADF + ")");
        }
    }

    @ParameterizedTest
    @MethodSource("returning")
    void shouldReturnMinusOne(Method method) throws IOException {
        for (long handle : GARBAGE) {
            assertThat(method.call.with(natives, handle, address))
                    .as("%s of %d", method, handle)
                    .isEqualTo(-1);
        }
    }

    /** P25: DiSNI passes no attributes. */
    @Test
    void shouldRefuseToModifyAQueuePair() {
        assertThatThrownBy(() -> natives._modifyQP(1, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ibv_modify_qp");
    }

    /** P1: the event was acknowledged when it was taken; its number tells nothing. */
    @Test
    void shouldAcknowledgeNothing() {
        assertThat(natives._ackCmEvent(9)).isZero();
    }

    @Test
    void shouldRefuseOtherPortSpacesThanTcp() {
        assertThatThrownBy(() -> natives._createId(1, (short) 0x0111))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rdma_create_id for port space 0x111 instead of RDMA_PS_TCP, 0x106");
    }

    @Test
    void shouldRefuseAddressesThatAreNone() {
        assertThatThrownBy(() -> natives._bindAddr(1, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("address");
        memory.putShort(0, (short) 10);
        assertThatThrownBy(() -> natives._resolveAddr(1, 0, address, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("address family 10");
    }

    /**
     * P12: a thread that asks for events of a channel that is gone, again and again, does not take a whole processor.
     */
    @Test
    void shouldPauseBeforeItTellsThatAChannelIsGone() {
        long start = System.nanoTime();
        assertThat(natives._getCmEvent(1, address, address + 8, -1)).isEqualTo(-1);
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
    }

    private static List<Long> garbage() {
        List<Long> garbage =
                new ArrayList<>(List.of(0L, -1L, 1L, 42L, Long.MIN_VALUE, Long.MAX_VALUE, 0x7f00_dead_b000L));
        for (long kind = 0; kind < 16; kind++) {
            garbage.add(kind << 59 | 1L << 24 | 0xfffff0);
            garbage.add(kind << 59 | 1L << 24 | 1023);
            garbage.add(kind << 59);
        }
        return garbage;
    }
}
