/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;

/** Something that comes by memory, in which an event loop has to look for it. Used by the thread that runs the loop. */
public interface PolledInput {
    /** Whose input it is. */
    Channel channel();

    /** Takes some of it, or all; whether there was something. */
    boolean takeIfReady();

    /** Asks to be woken by what comes next; false if there is something already. */
    boolean fallAsleep();

    /** Needs no waking any more; true. */
    boolean wake();

    /** Called when the memory cannot be used, or the loop ends: the connection is to end. */
    void fail(Throwable cause);
}
