/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCRegMr;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.BufferAddress;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.RegisteredMemory;
import org.apache.crail.verbs.NativeVerbs;

/**
 * A device as one client uses it: protection domain, memory, and the thread that takes completions. Thread safe. It
 * keeps an id of the connection manager for itself; the system keeps a device open until the process ends.
 */
final class VerbsDevice {
    private static final int FENCE_BYTES = 64;

    private final CmChannel channel;
    private final RdmaCmId anchor;
    private final IbvContext context;
    private final InetAddress address;
    private final IbvPd domain;
    private final IbvCompChannel completionChannel;
    private final IbvCQ eventQueue;
    private final ByteBuffer fence = ByteBuffer.allocateDirect(FENCE_BYTES);
    private final IbvMr fenceRegion;
    private final RegisteredMemory<Registered> memory;
    private final DeviceLoop loop;

    /**
     * Opens the device that an id belongs to, which becomes the device's if this succeeds.
     *
     * @param channel of the id, which becomes the device's, too
     */
    VerbsDevice(CmChannel channel, RdmaCmId anchor, RdmaClientSettings settings, RdmaCounters counters)
            throws IOException {
        this.channel = channel;
        this.anchor = anchor;
        this.context = anchor.getVerbs();
        this.address = ((InetSocketAddress) anchor.getSource()).getAddress();
        try (Rollback made = new Rollback()) {
            this.domain = context.allocPd();
            made.add("freeing a protection domain", domain::deallocPd);
            this.completionChannel = context.createCompChannel();
            made.add("destroying a completion channel", completionChannel::destroyCompChannel);
            this.eventQueue = context.createCQ(completionChannel, 1, 0);
            made.add("destroying a completion queue", eventQueue::destroyCQ);
            this.fenceRegion = register(domain, BufferAddress.of(fence), FENCE_BYTES, IbvMr.IBV_ACCESS_LOCAL_WRITE);
            made.add("deregistering", () -> fenceRegion.deregMr().execute().free());
            this.memory = new RegisteredMemory<>((region, address) -> register(region.capacity(), address, counters));
            this.loop = new DeviceLoop(
                    "crail-rdma-completions-" + context.getCmd_fd(),
                    timeoutMs -> completionChannel.getCqEvent(eventQueue, timeoutMs),
                    settings.polling(),
                    this::release);
            made.keep();
        }
    }

    /** Registers memory; the length is below 2 GiB, as DiSNI wants it. */
    static IbvMr register(IbvPd domain, long address, int length, int access) throws IOException {
        SVCRegMr call = domain.regMr(address, length, access);
        try {
            return call.execute().getMr();
        } finally {
            call.free();
        }
    }

    private Registered register(int length, long address, RdmaCounters counters) throws BufferExhaustedException {
        try {
            Registered registered = new Registered(register(domain, address, length, IbvMr.IBV_ACCESS_LOCAL_WRITE));
            counters.countRegistration();
            return registered;
        } catch (IOException e) {
            throw new BufferExhaustedException(NativeVerbs.registrationFailure(length, e), e);
        }
    }

    /** Memory of a buffer. */
    record Registered(IbvMr region) implements RegisteredMemory.Registration {
        int localKey() {
            return region.getLkey();
        }

        @Override
        public void deregister() throws IOException {
            region.deregMr().execute().free();
        }
    }

    /** This host's address on the device. */
    InetAddress address() {
        return address;
    }

    IbvContext context() {
        return context;
    }

    IbvPd domain() {
        return domain;
    }

    IbvCompChannel completionChannel() {
        return completionChannel;
    }

    /** A byte that the reads behind writes go to; nobody reads it. */
    long fenceAddress() {
        return fenceRegion.getAddr();
    }

    int fenceKey() {
        return fenceRegion.getLkey();
    }

    RegisteredMemory<Registered> memory() {
        return memory;
    }

    DeviceLoop loop() {
        return loop;
    }

    /** Whether the device has been removed. Called by one thread at a time, before the device is closed. */
    boolean isGone() {
        return channel.hasEnded();
    }

    /** Ends the connections over the device and gives everything back. */
    void close(CrailException reason) {
        loop.close(reason);
    }

    private void release() {
        memory.close();
        VerbsErrors.quietly(
                "deregistering", () -> fenceRegion.deregMr().execute().free());
        VerbsErrors.quietly("destroying a completion queue", eventQueue::destroyCQ);
        VerbsErrors.quietly("destroying a completion channel", completionChannel::destroyCompChannel);
        VerbsErrors.quietly("freeing a protection domain", domain::deallocPd);
        VerbsErrors.quietly("destroying an id", anchor::destroyId);
        channel.close();
    }
}
