/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Gives connect requests away as they come. DiSNI's own way of accepting waits for one client after the other, so that one that
 * vanishes during its connect would keep out all others. Events come from the connection manager's thread.
 */
final class Listener extends RdmaServerEndpoint<VerbsEndpoint> {
    private final Consumer<RdmaCmId> onRequest;

    Listener(VerbsGroup group, RdmaCmId id, Consumer<RdmaCmId> onRequest) {
        super(group, id);
        this.onRequest = onRequest;
    }

    @Override
    public void dispatchCmEvent(RdmaCmEvent event) throws IOException {
        if (event.getEvent() == CmEvents.CONNECT_REQUEST) {
            onRequest.accept(event.getConnIdPriv());
        } else {
            super.dispatchCmEvent(event);
        }
    }
}
