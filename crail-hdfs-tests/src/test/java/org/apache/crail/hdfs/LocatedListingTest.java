/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Listings with the places of blocks, as MapReduce cuts its input by. */
@Tag("hdfs")
class LocatedListingTest {
    private static final int BLOCK = 64 * 1024;
    private static final Path ROOT = new Path("/located");

    private FileSystem fs;
    private FileContext context;

    @BeforeEach
    void connect() throws IOException {
        Configuration conf = SharedCluster.configure(new Configuration());
        fs = FileSystem.newInstance(SharedCluster.uri(), conf);
        context = FileContext.getFileContext(SharedCluster.uri(), conf);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(ROOT, true);
        fs.close();
    }

    private Path write(String name, int bytes) throws IOException {
        return write(fs, new Path(ROOT, name), bytes);
    }

    private static Path write(FileSystem fs, Path path, int bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(new byte[bytes]);
        }
        return path;
    }

    private static List<LocatedFileStatus> all(RemoteIterator<LocatedFileStatus> statuses) throws IOException {
        List<LocatedFileStatus> all = new ArrayList<>();
        while (statuses.hasNext()) {
            all.add(statuses.next());
        }
        assertThatThrownBy(statuses::next).isInstanceOf(NoSuchElementException.class);
        return all;
    }

    private static List<String> names(RemoteIterator<LocatedFileStatus> statuses) throws IOException {
        return all(statuses).stream().map(status -> status.getPath().getName()).toList();
    }

    @Test
    void shouldTellThePlacesThatAreToldForEachFile() throws Exception {
        write("file", 2 * BLOCK + 100);
        fs.mkdirs(new Path(ROOT, "directory"));
        write("empty", 0);
        write("a b%", 1);
        for (RemoteIterator<LocatedFileStatus> statuses :
                List.of(fs.listLocatedStatus(ROOT), context.listLocatedStatus(ROOT))) {
            List<LocatedFileStatus> all = all(statuses);
            assertThat(all).hasSize(4);
            for (LocatedFileStatus status : all) {
                assertThat(status).isEqualTo(fs.getFileStatus(status.getPath()));
            }
            assertThat(named(all, "file").getBlockLocations())
                    .extracting(BlockLocation::getOffset)
                    .containsExactly(0L, (long) BLOCK, 2L * BLOCK);
            assertThat(named(all, "file").getBlockLocations())
                    .extracting(BlockLocation::getLength)
                    .containsExactly((long) BLOCK, (long) BLOCK, 100L);
            assertThat(named(all, "directory").isDirectory()).isTrue();
            assertThat(named(all, "directory").getBlockLocations()).isNull();
            assertThat(named(all, "empty").getBlockLocations()).isEmpty();
            assertThat(named(all, "a b%").getBlockLocations()).hasSize(1);
            for (LocatedFileStatus file : List.of(named(all, "file"), named(all, "a b%"))) {
                assertSamePlaces(file.getBlockLocations(), fs.getFileBlockLocations(file, 0, file.getLen()));
            }
        }
    }

    private static LocatedFileStatus named(List<LocatedFileStatus> all, String name) {
        return all.stream()
                .filter(status -> status.getPath().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertSamePlaces(BlockLocation[] places, BlockLocation[] expected) throws IOException {
        assertThat(places).hasSameSizeAs(expected);
        for (int i = 0; i < places.length; i++) {
            assertThat(places[i].getHosts()).isNotEmpty().isEqualTo(expected[i].getHosts());
            assertThat(places[i].getNames()).isNotEmpty().isEqualTo(expected[i].getNames());
            assertThat(places[i].getTopologyPaths()).isEqualTo(expected[i].getTopologyPaths());
            assertThat(places[i]).hasToString(expected[i].toString());
        }
    }

    /** The page is there before the files are deleted and replaced; their places are asked for afterwards. */
    @Test
    void shouldLeaveOutAFileThatIsGoneMeanwhile() throws Exception {
        List<Path> paths = List.of(write("a", 1), write("b", BLOCK), write("c", 2 * BLOCK), write("d", 1));
        RemoteIterator<LocatedFileStatus> byFileSystem = fs.listLocatedStatus(ROOT);
        RemoteIterator<LocatedFileStatus> byContext = context.listLocatedStatus(ROOT);
        fs.delete(paths.get(0), false);
        fs.delete(paths.get(3), false);
        write(fs, paths.get(2), 3 * BLOCK);
        for (RemoteIterator<LocatedFileStatus> statuses : List.of(byFileSystem, byContext)) {
            List<LocatedFileStatus> all = all(statuses);
            assertThat(all).extracting(status -> status.getPath().getName()).containsExactlyInAnyOrder("b", "c");
            assertThat(named(all, "c").getLen()).isEqualTo(2 * BLOCK);
            assertThat(named(all, "c").getBlockLocations()).hasSize(2);
        }
    }

    @Test
    void shouldGoThroughWhatIsBelowADirectory() throws Exception {
        write("a", 1);
        write("b/c/d", BLOCK + 1);
        write("b/e", 0);
        fs.mkdirs(new Path(ROOT, "f"));
        assertThat(names(fs.listFiles(ROOT, true))).containsExactlyInAnyOrder("a", "d", "e");
        assertThat(names(context.util().listFiles(ROOT, true))).containsExactlyInAnyOrder("a", "d", "e");
        assertThat(names(fs.listFiles(ROOT, false))).containsExactly("a");
        assertThat(all(fs.listFiles(new Path(ROOT, "b/c"), true)).get(0).getBlockLocations())
                .hasSize(2);
    }

    /** More than are asked for at a time. */
    @Test
    void shouldListEveryFileOnce() throws Exception {
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 3 * LocatedStatuses.MAX_AHEAD / 2 + 1; i++) {
            written.add(write("part-" + i, i % 3).getName());
        }
        assertThat(names(fs.listLocatedStatus(ROOT))).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    void shouldTellOfAFileItselfAndOfAMissingPath() throws Exception {
        Path path = write("file", BLOCK + 1);
        List<LocatedFileStatus> itself = all(fs.listLocatedStatus(path));
        assertThat(itself).containsExactly(new LocatedFileStatus(fs.getFileStatus(path), null));
        assertThat(itself.get(0).getBlockLocations()).hasSize(2);
        Path missing = new Path(ROOT, "missing");
        assertThatThrownBy(() -> fs.listLocatedStatus(missing))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining(missing.toString());
        assertThatThrownBy(() -> context.listLocatedStatus(missing)).isInstanceOf(FileNotFoundException.class);
    }

    /**
     * A caller who goes on after a failure must not take the listing for complete. The listing of a file asks for no
     * page ahead.
     */
    @Test
    void shouldNotPassOverAFileWhosePlacesCannotBeTold() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient()
                .with("crail.connecttimeout", "2s")
                .with("crail.rpctimeout", "2s")
                .start()) {
            Configuration conf = new Configuration();
            cluster.configuration().asMap().forEach(conf::set);
            URI uri = URI.create(cluster.configuration().get(CrailKeys.NAMENODE_ADDRESS.name()) + "/");
            try (FileSystem other = FileSystem.newInstance(uri, conf)) {
                Path file = write(other, new Path(ROOT, "file"), 1);
                RemoteIterator<LocatedFileStatus> statuses = other.listLocatedStatus(file);
                cluster.stopNamenode();
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(statuses::hasNext)
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining(file.toString());
                }
            }
        }
    }
}
