/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.console.Progress;
import org.apache.crail.cli.context.Closing;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;

class UploadTest {
    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldTellWhyACopyFailedEvenIfItsRestCannotBeDeleted() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.MEMORY).start()) {
            CrailConfiguration conf = cluster.configuration();
            CrailStore store = cluster.newStore();
            Upload upload =
                    new Upload(new NamespaceTree(store, conf), null, Progress.start(null, false), new CopyOptions());

            assertThatThrownBy(() -> upload.stream(new BrokenSource(store), CrailPath.parse("/f")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the disk is broken");
        }
    }

    /** Takes the store down with it. */
    private record BrokenSource(CrailStore store) implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer target) throws IOException {
            Closing.close(store);
            throw new IOException("the disk is broken");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
