/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import com.ibm.jnvmf.IoQueuePair;
import com.ibm.jnvmf.KeyedNativeBuffer;
import com.ibm.jnvmf.KeyedSglDataBlockDescriptor;
import com.ibm.jnvmf.NvmIoCommandSqe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.storage.device.RegisteredMemory;
import org.apache.crail.verbs.NativeVerbs;

/**
 * A queue of jNVMf. It stumbles over status codes that it does not know, and loses what completed together with them;
 * {@link #poll} then tells what is known, and the connection must be ended. Threads as {@link SectorDevice} says.
 */
final class JnvmfDevice implements SectorDevice {
    private final JnvmfController target;
    private final IoQueuePair pair;
    private final RegisteredMemory<Registered> memory;
    private final JnvmfSlot[] slots;
    private final List<JnvmfSlot> completed = new ArrayList<>();
    private IOException broken;

    JnvmfDevice(JnvmfController target, int queueSize, NvmfCounters counters) throws IOException {
        this.target = target;
        this.pair = target.controller().createIoQueuePair(queueSize);
        this.memory = new RegisteredMemory<>((region, address) -> register(region, counters));
        this.slots = new JnvmfSlot[queueSize - 1]; // a full queue has one entry that is not used
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new JnvmfSlot(i, pair, target.namespaceId(), completed, this::onTransportFailure);
        }
    }

    private Registered register(ByteBuffer region, NvmfCounters counters) throws BufferExhaustedException {
        try {
            KeyedNativeBuffer memory = pair.registerMemory(region);
            Registered registered = new Registered(memory, memory.getRemoteKey());
            counters.countRegistration();
            return registered;
        } catch (IOException e) {
            throw new BufferExhaustedException(NativeVerbs.registrationFailure(region.capacity(), e), e);
        }
    }

    /**
     * Keeps the key, which jNVMf refuses to tell once the memory is given back; transfers of an ended connection may
     * still ask.
     */
    private record Registered(KeyedNativeBuffer region, int key) implements RegisteredMemory.Registration {
        @Override
        public void deregister() throws IOException {
            region.free();
        }
    }

    @Override
    public int sectorBytes() {
        return target.shape().sectorBytes();
    }

    @Override
    public int maxTransferSectors() {
        return target.maxTransferBytes() / sectorBytes();
    }

    @Override
    public int depth() {
        return slots.length;
    }

    @Override
    public int key(NvmfTransfer transfer) throws CrailException {
        return memory.registration(transfer).key();
    }

    @Override
    public int key(CrailBuffer buffer) throws CrailException {
        return memory.registration(buffer).key();
    }

    @Override
    public void post(int slot, SectorCommand command) throws IOException {
        NvmIoCommandSqe entry = slots[slot].prepare(command.isWrite());
        entry.setStartingLba(command.sector());
        entry.setNumberOfLogicalBlocks(command.count());
        KeyedSglDataBlockDescriptor data = entry.getKeyedSglDataBlockDescriptor();
        data.setAddress(command.buffer().address() + command.index());
        data.setLength(command.count() * sectorBytes());
        data.setKey(command.key());
        slots[slot].execute();
    }

    @Override
    public int poll() throws IOException {
        if (broken != null) {
            throw broken;
        }
        completed.clear();
        try {
            pair.poll();
        } catch (IOException e) {
            broken =
                    AdminFailure.of(e); // such as "No command with CID", of what came back when the target disconnected
        } catch (RuntimeException e) {
            broken = new IOException("an answer could not be read: " + e, e);
            findMisunderstood(e);
        }
        if (broken != null && completed.isEmpty()) {
            throw broken;
        }
        return completed.size();
    }

    /** Called while polling. */
    private void onTransportFailure(String why) {
        if (broken == null) {
            broken = new IOException(why);
        }
    }

    private void findMisunderstood(RuntimeException failure) {
        for (JnvmfSlot slot : slots) {
            slot.completeIfMisunderstood(failure);
        }
    }

    @Override
    public int slot(int index) {
        return completed.get(index).number();
    }

    @Override
    public CrailException failure(int index) {
        return completed.get(index).failure();
    }

    @Override
    public IOException breakage() {
        return broken;
    }

    @Override
    public void keepAlive() throws IOException {
        target.keepAlive();
    }

    @Override
    public void destroy() {
        Quietly.run("closing a queue", pair::free);
        memory.close();
        target.close();
    }
}
