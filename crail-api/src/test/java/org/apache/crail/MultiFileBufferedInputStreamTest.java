/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.FakeTransfers.Mode;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.OperationTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultiFileBufferedInputStreamTest {
    private static final int SLICE = 16;

    private final FakeStore store = new FakeStore(2 * SLICE, SLICE);
    private final FakeBag bag = store.bag("/bag");
    private final List<FakeFile> files = new ArrayList<>();
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();

    @BeforeEach
    void fillTheBag() {
        Random random = new Random(5);
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(100)];
            random.nextBytes(bytes);
            files.add(store.file("/bag/" + (char) ('A' + i), bytes));
            all.writeBytes(bytes);
        }
    }

    @AfterEach
    void giveEverythingBack() {
        store.stop();
        assertThat(store.buffers.buffersInUse()).as("buffers in use").isZero();
        assertThat(files).as("open streams").allMatch(file -> file.openStreams == 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100})
    void shouldReadAllFilesOneAfterTheOther(int outstanding) throws Exception {
        store.transfers.mode(Mode.IN_ANOTHER_THREAD);
        try (CrailBufferedInputStream in = bag.getMultiStream(outstanding)) {
            assertThat(in.readAllBytes()).isEqualTo(all.toByteArray());
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.position()).isEqualTo(all.size());
        }
        assertThat(store.transfers.maxInFlight()).isLessThanOrEqualTo(outstanding);
    }

    @Test
    void shouldKeepTheSetNumberOfTransfersInFlightAcrossFiles() throws Exception {
        store.transfers.mode(Mode.WHEN_TOLD);
        CrailBufferedInputStream in = bag.getMultiStream(10);
        assertThat(in.available()).isZero();
        store.transfers.completeOne();
        assertThat(in.read()).isNotNegative();
        assertThat(store.transfers.inFlight()).isEqualTo(10);
        assertThat(store.transfers.begun())
                .extracting(FakeTransfers.Transfer::path)
                .contains("/bag/A", "/bag/B");
        store.transfers.completeAll();
        in.close();
    }

    @Test
    void shouldLeaveOutFilesThatWereDeletedMeanwhile() throws Exception {
        store.forget("/bag/B");
        FakeBag listing = bag;
        try (CrailBufferedInputStream in = listing.getMultiStream(3)) {
            store.forget("/bag/Z");
            assertThat(in.readAllBytes())
                    .hasSize(all.size()
                            - files.get(1).content().length
                            - files.get(25).content().length);
        }
    }

    @Test
    void shouldSatisfyACallerThatPollsForEverything() throws Exception {
        store.transfers.mode(Mode.IN_ANOTHER_THREAD);
        try (CrailBufferedInputStream in = bag.getMultiStream(2)) {
            while (in.available() < all.size()) {
                Thread.onSpinWait();
            }
            assertThat(in.readAllBytes()).isEqualTo(all.toByteArray());
        }
    }

    @Test
    void shouldGoOnFailingAfterAFailure() throws Exception {
        CrailBufferedInputStream in = bag.getMultiStream(2);
        store.transfers.failNext(new DatanodeLostException("datanode h:1 is lost"));
        assertThatThrownBy(in::read).isInstanceOf(DatanodeLostException.class);
        assertThatThrownBy(in::read)
                .isInstanceOf(DatanodeLostException.class)
                .hasMessageContaining("datanode h:1 is lost")
                .hasNoCause();
        in.close();
    }

    @Test
    void shouldNotEndWellWhenTheListingHasFailed() throws Exception {
        Iterator<String> names = bag.listEntries();
        AtomicInteger calls = new AtomicInteger();
        bag.listing = new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (calls.incrementAndGet() == 20) {
                    throw new UncheckedIOException(new OperationTimeoutException("listing took too long"));
                }
                return calls.get() < 20 && names.hasNext(); // a listing that ends behind a failure
            }

            @Override
            public String next() {
                return names.next();
            }
        };
        try (CrailBufferedInputStream in = bag.getMultiStream(3)) {
            assertThatThrownBy(in::readAllBytes)
                    .isInstanceOf(OperationTimeoutException.class)
                    .hasMessageContaining("listing took too long");
            assertThatThrownBy(in::read).isInstanceOf(OperationTimeoutException.class);
        }
    }

    @Test
    void shouldRefuseToSeek() throws Exception {
        try (CrailBufferedInputStream in = bag.getMultiStream(2)) {
            assertThatThrownBy(() -> in.seek(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Seek not supported");
            assertThatThrownBy(() -> in.read(1, new byte[1], 0, 1)).isInstanceOf(IOException.class);
            assertThat(in.skip(10)).isEqualTo(10);
            assertThat(in.read()).isEqualTo(all.toByteArray()[10] & 0xff);
        }
    }

    @Test
    void shouldRefuseToReadWithNothingInFlight() {
        assertThatThrownBy(() -> bag.getMultiStream(0)).isInstanceOf(IOException.class);
    }
}
