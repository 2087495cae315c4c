/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that a file system is writing, which it completes when it closes. All methods are thread safe. */
final class OpenOutputs {
    private static final Logger LOG = LoggerFactory.getLogger(OpenOutputs.class);

    private final Set<CrailHadoopOutputStream> outputs = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Fails if the file system is closed, or about to be. */
    void checkOpen(Path path) throws IOException {
        if (closed) {
            throw new PathIOException(path.toString(), "the file system has been closed");
        }
    }

    /** Takes over a stream; if the file system has been closed meanwhile, closes it and fails. */
    CrailHadoopOutputStream add(CrailBufferedOutputStream stream, Path path) throws IOException {
        CrailHadoopOutputStream output = new CrailHadoopOutputStream(stream, path, outputs::remove);
        outputs.add(output);
        if (closed) { // behind the add: either it is seen here, or completeAll sees the stream
            output.close();
            checkOpen(path);
        }
        return output;
    }

    /** Completes all that there are, also after a failure, and takes no others; that a file is gone is no failure. */
    void completeAll(Object fileSystem) throws IOException {
        closed = true;
        Failures.closeAll(
                fileSystem,
                outputs.stream()
                        .<AutoCloseable>map(output -> () -> complete(output))
                        .toList());
    }

    private static void complete(CrailHadoopOutputStream output) throws IOException {
        try {
            output.closeUnasked();
        } catch (FileNotFoundException e) {
            LOG.debug("{} was deleted while it was written", output, e);
        }
    }
}
