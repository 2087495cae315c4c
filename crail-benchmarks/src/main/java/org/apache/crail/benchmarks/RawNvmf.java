/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import com.ibm.jnvmf.Controller;
import com.ibm.jnvmf.IoQueuePair;
import com.ibm.jnvmf.KeyedNativeBuffer;
import com.ibm.jnvmf.KeyedSglDataBlockDescriptor;
import com.ibm.jnvmf.NamespaceIdentifier;
import com.ibm.jnvmf.NvmIoCommandSqe;
import com.ibm.jnvmf.NvmReadCommand;
import com.ibm.jnvmf.NvmResponseCapsule;
import com.ibm.jnvmf.Nvme;
import com.ibm.jnvmf.NvmeQualifiedName;
import com.ibm.jnvmf.NvmfTransportId;
import com.ibm.jnvmf.OperationCallback;
import com.ibm.jnvmf.RdmaException;
import com.ibm.jnvmf.Response;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The least that reads of a namespace take with jNVMf: commands, prepared once, given by the caller, who polls for
 * their answers by itself. Not thread safe.
 */
final class RawNvmf implements BlockReader, AutoCloseable {
    private static final int QUEUE_SIZE = 64;
    private static final int CONNECT_LIMIT_S = 30;

    private final Controller controller;
    private final IoQueuePair pair;
    private final List<ByteBuffer> buffers = new ArrayList<>(); // which keeps the memory that the device writes to
    private final ArrayDeque<Slot> free = new ArrayDeque<>();

    /** Connects, and prepares reads of {@code size} bytes from {@code position} on. */
    RawNvmf(InetSocketAddress target, String nqn, int namespace, long position, int size) throws Exception {
        System.setProperty("jnvmf.legacy", "true");
        this.controller = new Nvme()
                .connect(
                        new NvmfTransportId(target, new NvmeQualifiedName(nqn)),
                        CONNECT_LIMIT_S,
                        TimeUnit.SECONDS,
                        true);
        controller.getControllerConfiguration().setEnable(true);
        controller.syncConfiguration();
        while (!controller.getControllerStatus().isReady()) {
            Thread.onSpinWait();
        }
        int sector = controller.getActiveNamespaces().stream()
                .filter(each -> each.getIdentifier().toInt() == namespace)
                .findFirst()
                .orElseThrow()
                .getIdentifyNamespaceData()
                .getFormattedLbaSize()
                .getLbaDataSize()
                .toInt();
        this.pair = controller.createIoQueuePair(QUEUE_SIZE);
        for (int i = 0; i < MOST_IN_FLIGHT; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(size);
            buffers.add(buffer);
            free.add(new Slot(namespace, position / sector, size / sector, pair.registerMemory(buffer)));
        }
    }

    /** A read that is used again and again; it is done when its command has been sent and answered. */
    private final class Slot {
        private final NvmReadCommand command;
        private boolean sent;
        private boolean answered;
        private String failure;
        private Response<NvmResponseCapsule> response;

        Slot(int namespace, long sector, int count, KeyedNativeBuffer memory) throws IOException {
            command = new NvmReadCommand(pair);
            NvmIoCommandSqe entry = command.getCommandCapsule().getSubmissionQueueEntry();
            entry.setNamespaceIdentifier(new NamespaceIdentifier(namespace));
            entry.setStartingLba(sector);
            entry.setNumberOfLogicalBlocks(count);
            KeyedSglDataBlockDescriptor data = entry.getKeyedSglDataBlockDescriptor();
            data.setAddress(memory.getAddress());
            data.setLength(memory.capacity());
            data.setKey(memory.getRemoteKey());
            command.setCallback(new Progress(() -> sent = true));
        }

        void execute() throws IOException {
            sent = false;
            answered = false;
            response = command.newResponse();
            response.setCallback(new Progress(() -> answered = true));
            command.execute(response);
        }

        private final class Progress implements OperationCallback {
            private final Runnable done;

            Progress(Runnable done) {
                this.done = done;
            }

            @Override
            public void onStart() {}

            @Override
            public void onComplete() {
                done.run();
                if (sent && answered) {
                    free.add(Slot.this);
                }
            }

            @Override
            public void onFailure(RdmaException exception) {
                failure = exception.getMessage();
                free.add(Slot.this);
            }
        }

        void check() throws IOException {
            int status = response == null || failure != null
                    ? 0
                    : response.getResponseCapsule()
                            .getCompletionQueueEntry()
                            .getStatusCode()
                            .toInt();
            if (status != 0 || failure != null) {
                throw new IOException("a read ended with status " + status + " " + failure);
            }
        }
    }

    @Override
    public void read(int reads, int inFlight) throws IOException {
        int spare = MOST_IN_FLIGHT - inFlight;
        int posted = 0;
        while (posted < reads || free.size() < MOST_IN_FLIGHT) {
            while (posted < reads && free.size() > spare) {
                Slot slot = free.remove();
                slot.check();
                slot.execute();
                posted++;
            }
            pair.poll();
        }
        for (Slot slot : free) {
            slot.check();
        }
    }

    @Override
    public void close() throws IOException {
        pair.free();
        controller.free();
    }
}
