/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.concurrent.Future;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.simulation.model.Session;

/** An output stream, direct or buffered. Confined to one program. */
final class OpenStream {
    final Handle handle;

    /** Null if it is buffered. */
    final CrailOutputStream direct;

    /** Null if it is direct. */
    final CrailBufferedOutputStream buffered;

    final Session session;
    long position;

    OpenStream(
            Handle handle, CrailOutputStream direct, CrailBufferedOutputStream buffered, Session session, long from) {
        this.handle = handle;
        this.direct = direct;
        this.buffered = buffered;
        this.session = session;
        this.position = from;
    }

    Future<Void> sync() throws Exception {
        return buffered != null ? buffered.sync() : direct.sync();
    }

    void close() throws Exception {
        if (buffered != null) {
            buffered.close();
        } else {
            direct.close();
        }
    }
}
