/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;
import java.nio.channels.FileChannel;

/** Bytes of a file that stays open, sent without passing through this process. Used on a channel's thread. */
final class OpenFileRegion extends DefaultFileRegion {
    /** Counts the bytes of files, too, for the limit of what waits to be sent. */
    static final MessageSizeEstimator ALL_BYTES = () -> {
        MessageSizeEstimator.Handle others = DefaultMessageSizeEstimator.DEFAULT.newHandle();
        return message -> message instanceof FileRegion file ? Math.toIntExact(file.count()) : others.size(message);
    };

    OpenFileRegion(FileChannel file, long position, int count) {
        super(file, position, count);
    }

    @Override
    protected void deallocate() {
        // the file is the datanode's
    }
}
