/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Gives connect requests away as they come. DiSNI's own way of accepting waits for one client after the other, so that
 * one that vanishes during its connect would keep out all others. Events come from the connection manager's thread.
 */
final class ConnectListener extends RdmaServerEndpoint<VerbsEndpoint> {
    private final Consumer<RdmaCmId> onRequest;
    private final Runnable onRemoval;

    /**
     * Gives connect requests to {@code onRequest}, and the news that the device has been removed to {@code onRemoval}.
     */
    ConnectListener(VerbsGroup group, RdmaCmId id, Consumer<RdmaCmId> onRequest, Runnable onRemoval) {
        super(group, id);
        this.onRequest = onRequest;
        this.onRemoval = onRemoval;
    }

    /** Without the endpoint's lock: the server takes that one while it holds its own, which is needed here. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void dispatchCmEvent(RdmaCmEvent event) throws IOException {
        if (event.getEvent() == CmEvents.CONNECT_REQUEST) {
            onRequest.accept(event.getConnIdPriv());
            return;
        }
        if (event.getEvent() == CmEvents.DEVICE_REMOVAL) {
            onRemoval.run();
        }
        super.dispatchCmEvent(event);
    }
}
