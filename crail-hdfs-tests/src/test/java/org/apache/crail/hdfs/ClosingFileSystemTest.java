/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.error.ClosedException;
import org.apache.crail.testkit.TestClient;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams that are opened while their file system closes: each is completed, or its owner hears that it is not. */
@Tag("hdfs")
class ClosingFileSystemTest {
    private static final Path DIRECTORY = new Path("/closing");
    private static final Path FILE = new Path(DIRECTORY, "f");

    private final byte[] bytes = new byte[1000];
    private Configuration conf;
    private FileSystem fs;

    @BeforeEach
    void write() throws IOException {
        conf = SharedCluster.configure(new Configuration());
        fs = FileSystem.newInstance(SharedCluster.uri(), conf);
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.write(bytes);
        }
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(DIRECTORY, true);
        fs.close();
    }

    /** Its own last deletions come after it has completed what was being written, and before its store closes. */
    private static final class LateWriter extends CrailHadoopFileSystem {
        private final List<Throwable> failures = new ArrayList<>();

        @Override
        public boolean delete(Path path, boolean recursive) throws IOException {
            failures.add(catchThrowable(() -> create(FILE, true)));
            failures.add(catchThrowable(() -> createFile(FILE).overwrite(true).build()));
            failures.add(catchThrowable(() -> append(FILE)));
            return super.delete(path, recursive);
        }
    }

    @Test
    void shouldRefuseToWriteOnceFilesHaveBeenCompleted() throws Exception {
        Path temporary = new Path(DIRECTORY, "temporary");
        List<Throwable> failures;
        try (LateWriter closing = new LateWriter()) {
            closing.initialize(SharedCluster.uri(), conf);
            closing.create(temporary).close();
            assertThat(closing.deleteOnExit(temporary)).isTrue();
            failures = closing.failures;
        }
        assertThat(failures).hasSize(3).allSatisfy(failure -> assertThat(failure)
                .isInstanceOf(PathIOException.class)
                .hasMessageContaining(FILE.toString())
                .hasMessageContaining("closed"));
        assertThat(fs.exists(temporary)).isFalse();
        assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(bytes.length);
    }

    @Test
    void shouldCloseAStreamThatComesWhenFilesHaveBeenCompleted() throws Exception {
        OpenOutputs outputs = new OpenOutputs();
        outputs.completeAll(DIRECTORY);
        Path path = new Path(DIRECTORY, "late");
        try (TestClient client = TestClient.open(StoreSettings.of(SharedCluster.uri(), conf))) {
            CrailBufferedOutputStream stream =
                    client.createFile(path.toString()).getBufferedOutputStream(0);
            assertThatThrownBy(() -> outputs.add(stream, path))
                    .isInstanceOf(PathIOException.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> stream.write(bytes)).isInstanceOf(ClosedException.class);
        }
    }

    @Test
    void shouldCompleteOrFailWhatOthersWriteMeanwhile() throws Exception {
        int writers = 3;
        ExecutorService executor = Executors.newFixedThreadPool(writers);
        try {
            for (int round = 0; round < 20; round++) {
                FileSystem closing = FileSystem.newInstance(SharedCluster.uri(), conf);
                CountDownLatch writing = new CountDownLatch(writers);
                Queue<Path> completed = new ConcurrentLinkedQueue<>();
                List<Future<IOException>> failures = new ArrayList<>();
                for (int writer = 0; writer < writers; writer++) {
                    Path directory = new Path(DIRECTORY, round + "-" + writer);
                    failures.add(executor.submit(() -> writeUntilItFails(closing, directory, writing, completed)));
                }
                writing.await();
                closing.close();
                for (Future<IOException> failure : failures) {
                    assertThat(failure.get(60, TimeUnit.SECONDS)).hasMessageContaining(DIRECTORY + "/" + round + "-");
                }
                assertThat(completed).hasSizeGreaterThanOrEqualTo(writers);
                for (Path path : completed) {
                    assertThat(fs.getFileStatus(path).getLen()).isEqualTo(bytes.length);
                }
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private IOException writeUntilItFails(
            FileSystem closing, Path directory, CountDownLatch writing, Queue<Path> completed) {
        for (int i = 0; ; i++) {
            Path path = new Path(directory, "f" + i);
            try (FSDataOutputStream out = closing.create(path)) {
                out.write(bytes);
            } catch (IOException e) {
                return e;
            }
            completed.add(path);
            writing.countDown();
        }
    }
}
