/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;

/**
 * What a channel keeps of its link after the end, so that somebody who still holds the channel does not hold the
 * buffers. Immutable.
 */
record EndedLink(String peer) implements PayloadLink {
    @Override
    public boolean send(int ticket, Payload payload) throws IOException {
        throw new IOException("the connection has ended");
    }

    @Override
    public void end(Throwable cause) {}
}
