/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.Map;
import org.apache.crail.CrailNamespace;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Probe;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many requests of which kind the calls of Hadoop cost at the namenode. */
@Tag("counts")
class RequestCountsTest {
    private static final int BLOCK = 64 * 1024;
    private static final Path DIRECTORY = new Path("/listed");

    /** Some pages, the last one not full. */
    private static final int FILES = 1500;

    private MiniCluster cluster;
    private URI uri;
    private Configuration conf;
    private Probe probe;
    private CrailHadoopFileSystem fs;

    @BeforeEach
    void start() throws Exception {
        cluster = SharedCluster.patient()
                .with("crail.tokenexpiration", "60s")
                .blocksPerDatanode(2048)
                .start();
        CrailConfiguration settings = cluster.configuration();
        uri = URI.create(settings.get(CrailKeys.NAMENODE_ADDRESS.name()) + "/");
        probe = Probe.attach(settings);
        conf = new Configuration();
        settings.asMap().forEach(conf::set);
        conf.set("fs.AbstractFileSystem.crail.impl", CrailHDFS.class.getName());
        fs = (CrailHadoopFileSystem) FileSystem.newInstance(uri, conf);
    }

    @AfterEach
    void stop() throws Exception {
        try (MiniCluster closing = cluster) {
            fs.close();
            closing.checkBlocks();
        }
    }

    /** A call of Hadoop. */
    private interface Call {
        void run() throws IOException;
    }

    /** Asserts that a call costs these requests and no others. */
    private void assertCosts(Map<Operation, Integer> expected, Call call) throws IOException {
        probe.reset();
        call.run();
        long sum = 0;
        for (Map.Entry<Operation, Integer> entry : expected.entrySet()) {
            assertThat(probe.requests(entry.getKey())).as("calls: %s", probe).isEqualTo((long) entry.getValue());
            sum += entry.getValue();
        }
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(sum);
    }

    private void write(Path path, int bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(new byte[bytes]);
        }
    }

    private static int count(RemoteIterator<? extends FileStatus> statuses) throws IOException {
        int count = 0;
        for (; statuses.hasNext(); statuses.next()) {
            count++;
        }
        return count;
    }

    /** One request for each page. Names of one length make pages of one size. */
    private int createFilesAndCountPages() throws Exception {
        fs.mkdirs(DIRECTORY);
        for (int i = 0; i < FILES; i++) {
            fs.create(new Path(DIRECTORY, "part-" + (10_000 + i))).close();
        }
        CrailNamespace namespace = cluster.newStore().namespace();
        int page = namespace.children(DIRECTORY.toString(), "").get().children().size();
        assertThat(page).isGreaterThan(300).isLessThan(FILES);
        return (FILES + page - 1) / page;
    }

    @Test
    void shouldListWithStatusWithOneRequestForEachPage() throws Exception {
        Map<Operation, Integer> pages = Map.of(Operation.CHILDREN, createFilesAndCountPages());
        assertCosts(pages, () -> assertThat(fs.listStatus(DIRECTORY)).hasSize(FILES));
        assertCosts(
                pages, () -> assertThat(count(fs.listStatusIterator(DIRECTORY))).isEqualTo(FILES));
        assertCosts(
                pages, () -> assertThat(count(fs.listLocatedStatus(DIRECTORY))).isEqualTo(FILES));
        FileContext context = FileContext.getFileContext(uri, conf);
        try {
            assertCosts(pages, () -> assertThat(count(context.listStatus(DIRECTORY)))
                    .isEqualTo(FILES));
            assertCosts(pages, () -> assertThat(context.util().listStatus(DIRECTORY))
                    .hasSize(FILES));
        } finally {
            Stores.shared(uri, StoreSettings.of(uri, conf)).close();
        }
    }

    /** Files without bytes and directories cost nothing, and none of the others waits for the one before. */
    @Test
    void shouldAskForThePlacesOfManyFilesTogether() throws Exception {
        int files = LocatedStatuses.MAX_AHEAD + 50;
        fs.mkdirs(new Path(DIRECTORY, "directory"));
        fs.create(new Path(DIRECTORY, "empty")).close();
        for (int i = 0; i < files; i++) {
            write(new Path(DIRECTORY, "part-" + i), i == 0 ? 2 * BLOCK + 1 : 1);
        }
        Map<Operation, Integer> expected = Map.of(Operation.CHILDREN, 1, Operation.LOCATE, files);
        assertCosts(expected, () -> {
            RemoteIterator<? extends FileStatus> located = fs.listLocatedStatus(DIRECTORY);
            assertThat(located.hasNext()).isTrue();
            long withoutBytes = 2; // or less, if they come later: listings have no order
            assertThat(probe.requests(Operation.LOCATE))
                    .isBetween(LocatedStatuses.MAX_AHEAD - withoutBytes, (long) LocatedStatuses.MAX_AHEAD);
            assertThat(count(located)).isEqualTo(files + 2);
        });
        FileContext context = FileContext.getFileContext(uri, conf);
        try {
            assertCosts(expected, () -> assertThat(count(context.listLocatedStatus(DIRECTORY)))
                    .isEqualTo(files + 2));
        } finally {
            Stores.shared(uri, StoreSettings.of(uri, conf)).close();
        }
    }

    @Test
    void shouldTellThePlacesOfAFileWithOneRequest() throws Exception {
        Path path = new Path("/f");
        write(path, 3 * BLOCK);
        FileStatus status = fs.getFileStatus(path);
        assertCosts(Map.of(Operation.LOCATE, 1), () -> assertThat(fs.getFileBlockLocations(status, 0, status.getLen()))
                .hasSize(3));
        assertCosts(
                Map.of(Operation.STATUS, 1, Operation.LOCATE, 1),
                () -> assertThat(fs.getFileBlockLocations(path, 0, BLOCK)).hasSize(1));
    }

    @Test
    void shouldTellAndChangeAStatusWithOneRequest() throws Exception {
        Path path = new Path("/f");
        write(path, 1);
        assertCosts(
                Map.of(Operation.STATUS, 1),
                () -> assertThat(fs.getFileStatus(path).getLen()).isEqualTo(1));
        assertCosts(Map.of(Operation.STATUS, 1), () -> assertThat(fs.exists(new Path("/none")))
                .isFalse());
        Map<Operation, Integer> change = Map.of(Operation.CHANGE, 1);
        assertCosts(change, () -> fs.setPermission(path, new FsPermission((short) 0600)));
        assertCosts(change, () -> fs.setTimes(path, 1, 2));
        assertCosts(change, () -> fs.setOwner(path, "anna", "staff"));
    }

    @Test
    @SuppressWarnings("deprecation") // how trash and FileContext rename
    void shouldRenameWithOneRequest() throws Exception {
        Path source = new Path("/source");
        Path target = new Path("/target");
        Map<Operation, Integer> move = Map.of(Operation.MOVE, 1);
        write(source, 1);
        write(target, 2);
        assertCosts(move, () -> fs.rename(source, target, Options.Rename.OVERWRITE));
        assertThat(fs.getFileStatus(target).getLen()).isEqualTo(1);
        assertCosts(move, () -> fs.rename(target, source, Options.Rename.NONE));
        assertCosts(move, () -> assertThat(fs.rename(source, target)).isTrue());
    }

    @Test
    void shouldCreateAndCloseWithOneRequestEach() throws Exception {
        Path path = new Path("/f");
        Map<Operation, Integer> file = Map.of(Operation.CREATE, 1, Operation.SYNC, 1);
        assertCosts(file, () -> fs.create(path).close());
        assertCosts(file, () -> write(path, 10));
        assertCosts(Map.of(Operation.CREATE, 1, Operation.MAP, 1, Operation.SYNC, 1), () -> write(path, BLOCK));
        assertCosts(file, () -> write(path, BLOCK)); // expected to be as long as before
        assertCosts(Map.of(Operation.CREATE, 1), () -> fs.mkdirs(new Path("/d")));
        assertCosts(Map.of(Operation.REMOVE, 1), () -> assertThat(fs.delete(path, false))
                .isTrue());
    }

    /** So that nobody removes the parent between two. */
    @Test
    void shouldCreateWithoutParentsWithOneRequest() throws Exception {
        Map<Operation, Integer> file = Map.of(Operation.CREATE, 1, Operation.SYNC, 1);
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
        FileContext context = FileContext.getFileContext(uri, conf);
        try {
            assertCosts(file, () -> context.create(new Path("/f"), flags, Options.CreateOpts.donotCreateParent())
                    .close());
        } finally {
            Stores.shared(uri, StoreSettings.of(uri, conf)).close();
        }
    }

    /** Each missing parent costs the create that does not find it, and its own. */
    @Test
    void shouldMakeMissingParentsWithTwoRequestsEach() throws Exception {
        assertCosts(Map.of(Operation.CREATE, 5, Operation.SYNC, 1), () -> fs.create(new Path("/a/b/f"))
                .close());
        assertCosts(Map.of(Operation.CREATE, 5), () -> fs.mkdirs(new Path("/c/d/e")));
    }
}
