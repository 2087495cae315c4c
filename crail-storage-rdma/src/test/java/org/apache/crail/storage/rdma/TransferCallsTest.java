/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static com.ibm.disni.verbs.IbvSendWR.IBV_SEND_SIGNALED;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_RDMA_READ;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_RDMA_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.device.DirectTransfer;
import org.apache.crail.storage.rdma.RecordedCall.Element;
import org.apache.crail.storage.rdma.RecordedCall.Request;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a queue pair is given for a transfer, and in which order. */
class TransferCallsTest {
    private static final int UNSIGNALED = 0;
    private static final long ADDRESS = 0x7000_0000_0000L;
    private static final int KEY = 7;
    private static final BlockInfo BLOCK =
            new BlockInfo(new DataNodeInfo(0, 0, 0, "192.0.2.1", 1), 0, ADDRESS, TierFixture.BLOCK, KEY, 1);
    private static final long FENCE = 4711;
    private static final int FENCE_KEY = 13;
    private static final int LOCAL_KEY = 11;
    private static final Element FENCE_BYTE = new Element(FENCE, 1, FENCE_KEY);

    private final List<SVCPostSend> made = new ArrayList<>();
    private final List<Request> posted = new ArrayList<>();
    private CrailBuffer buffer;
    private TransferCalls calls;

    @BeforeEach
    void makeCalls() throws IOException {
        buffer = TierFixture.buffer(TierFixture.BLOCK);
        calls = new TransferCalls(
                requests -> {
                    made.add(new RecordedCall(requests, posted));
                    return made.get(made.size() - 1);
                },
                FENCE,
                FENCE_KEY);
    }

    private void post(int slot, boolean isWrite, long offset, int start, int length) throws IOException {
        calls.post(
                slot,
                new RdmaTransfer(new DirectTransfer.Range(isWrite, BLOCK, offset, buffer, start, length, 0)),
                LOCAL_KEY);
    }

    private Element local(int start, int length) {
        return new Element(buffer.address() + start, length, LOCAL_KEY);
    }

    /**
     * The READ is executed behind the WRITE, and only its completion is reported: that makes the bytes visible to
     * others.
     */
    @ParameterizedTest
    @CsvSource({"0, 0, 65536", "100, 3, 500", "65535, 9, 1", "4096, 0, 4096"})
    void shouldFollowAWriteWithAReadOfTheLastByteThatItWrites(long offset, int start, int length) throws Exception {
        post(5, true, offset, start, length);

        long remote = ADDRESS + offset;
        assertThat(posted)
                .containsExactly(
                        new Request(IBV_WR_RDMA_WRITE, UNSIGNALED, 5, remote, KEY, local(start, length)),
                        new Request(IBV_WR_RDMA_READ, IBV_SEND_SIGNALED, 5, remote + length - 1, KEY, FENCE_BYTE));
    }

    @Test
    void shouldReadWithOneRequest() throws Exception {
        post(6, false, 100, 3, 500);

        assertThat(posted)
                .containsExactly(
                        new Request(IBV_WR_RDMA_READ, IBV_SEND_SIGNALED, 6, ADDRESS + 100, KEY, local(3, 500)));
    }

    /** The same work requests are used for all transfers. */
    @Test
    void shouldLeaveNothingOfATransferInTheNext() throws Exception {
        post(1, true, 1_000, 0, 800);
        post(2, false, 2_000, 10, 20);
        post(3, true, 50, 40, 6);

        assertThat(posted.subList(3, 5))
                .containsExactly(
                        new Request(IBV_WR_RDMA_WRITE, UNSIGNALED, 3, ADDRESS + 50, KEY, local(40, 6)),
                        new Request(IBV_WR_RDMA_READ, IBV_SEND_SIGNALED, 3, ADDRESS + 55, KEY, FENCE_BYTE));
    }

    @Test
    void shouldFreeTheFirstCallIfThereIsNoSecond() {
        made.clear();
        TransferCalls.Maker failing = requests -> {
            if (!made.isEmpty()) {
                throw new IOException("no memory");
            }
            made.add(new RecordedCall(requests, posted));
            return made.get(0);
        };

        assertThatThrownBy(() -> new TransferCalls(failing, FENCE, FENCE_KEY)).hasMessage("no memory");

        assertThat(made).hasSize(1).noneMatch(SVCPostSend::isValid);
    }

    @Test
    void shouldFreeAllCalls() {
        assertThat(made).hasSize(2).allMatch(SVCPostSend::isValid);

        calls.free();

        assertThat(made).noneMatch(SVCPostSend::isValid);
    }
}
