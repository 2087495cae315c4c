/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.darpc.DaRPCEndpointGroup;
import com.ibm.darpc.DaRPCProtocol;
import com.ibm.disni.RdmaCqProvider;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.util.HashMap;

/**
 * What connections of one server, or the one connection of a client, share: an event channel of the connection manager
 * with its thread, and the parameters of DaRPC. Thread safe as far as its own methods go.
 *
 * <p>DaRPC's own groups are not used: their client is polled by its callers and its server cannot tell whose operation
 * failed.
 */
final class VerbsGroup extends DaRPCEndpointGroup<VerbsEndpoint, VerbsMessage, VerbsMessage> {
    /** How long the connection manager's thread waits at most before it looks whether it is to end. */
    private static final int EVENT_WAIT_MS = 100;

    /** Lost packets, and messages that met no receive. With 7 a device may try for ever. */
    private static final byte RETRIES = 6;

    private VerbsGroup(DaRPCSettings settings) throws Exception {
        super(
                new Protocol(settings.greeting().payloadBytes()),
                EVENT_WAIT_MS,
                settings.maxInline(),
                settings.receiveBuffers(),
                settings.sendQueue() + 1);
        getConnParam().setRetry_count(RETRIES);
        getConnParam().setRnr_retry_count(RETRIES);
        clientEndpointMap = new GuardedMap<>();
        serverEndpointMap = new GuardedMap<>();
    }

    /** Opens an event channel and starts its thread. */
    static VerbsGroup open(DaRPCSettings settings) throws IOException {
        try {
            VerbsGroup group = new VerbsGroup(settings);
            group.init((id, serverSide) -> new VerbsEndpoint(group, id, serverSide));
            return group;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // DiSNI declares no narrower type
            throw new IOException(e);
        }
    }

    /** Makes the endpoint of a client that wants to connect. */
    VerbsEndpoint acceptEndpoint(RdmaCmId id) throws IOException {
        return createEndpoint(id);
    }

    /** Has the events of {@code id} told to {@code listener}. */
    synchronized void listenWith(RdmaCmId id, RdmaServerEndpoint<VerbsEndpoint> listener) {
        serverEndpointMap.put(id, listener);
    }

    /** Forgets an endpoint that is closed. */
    synchronized void forget(VerbsEndpoint endpoint) {
        clientEndpointMap.remove(endpoint.getIdPriv());
    }

    /** Forgets a listener that is closed. */
    synchronized void forget(RdmaServerEndpoint<VerbsEndpoint> listener) {
        serverEndpointMap.remove(listener.getIdPriv());
    }

    @Override
    public void allocateResources(VerbsEndpoint endpoint) throws Exception {
        endpoint.allocateResources();
    }

    @Override
    public RdmaCqProvider createCqProvider(VerbsEndpoint endpoint) throws IOException {
        return endpoint.loop().open(endpoint.getIdPriv().getVerbs());
    }

    @Override
    public IbvQP createQpProvider(VerbsEndpoint endpoint) throws IOException {
        return createQP(
                endpoint.getIdPriv(), endpoint.getPd(), endpoint.getCqProvider().getCQ());
    }

    private record Protocol(int payloadBytes) implements DaRPCProtocol<VerbsMessage, VerbsMessage> {
        @Override
        public VerbsMessage createRequest() {
            return new VerbsMessage(payloadBytes);
        }

        @Override
        public VerbsMessage createResponse() {
            return new VerbsMessage(payloadBytes);
        }
    }

    /** The connection manager's thread looks endpoints up while others come and go. */
    private static final class GuardedMap<V> extends HashMap<RdmaCmId, V> {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized V get(Object key) {
            return super.get(key);
        }

        @Override
        public synchronized boolean containsKey(Object key) {
            return super.containsKey(key);
        }

        @Override
        public synchronized V put(RdmaCmId key, V value) {
            return super.put(key, value);
        }

        @Override
        public synchronized V remove(Object key) {
            return super.remove(key);
        }
    }
}
