/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the blocks of files are: whole ones, as HDFS tells them, the last one as long as what the file has of it. */
@Tag("hdfs")
class BlockLocationsTest {
    private static final int BLOCK = 64 * 1024;
    private static final Path ROOT = new Path("/places");
    private static final Path FILE = new Path(ROOT, "f");

    /** What a scheduler calls the host of the datanode. */
    private static final String HOST = "node-7";

    private final DataNodeInfo datanode = SharedCluster.datanode();
    private FileSystem fs;
    private FileContext context;

    @BeforeEach
    void connect() throws IOException {
        Configuration conf = SharedCluster.configure(new Configuration());
        conf.set("crail.locationmap", datanode.host() + "/" + HOST);
        fs = FileSystem.newInstance(SharedCluster.uri(), conf);
        context = FileContext.getFileContext(SharedCluster.uri(), conf);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(ROOT, true);
        fs.close();
    }

    private void write(int bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.write(new byte[bytes]);
        }
    }

    /** Asserts that so many blocks of a file are told, from one on. */
    private void assertPlaces(BlockLocation[] places, int fileLength, int firstBlock, int blocks) throws IOException {
        assertThat(places).hasSize(blocks);
        for (int i = 0; i < blocks; i++) {
            long offset = (long) (firstBlock + i) * BLOCK;
            assertThat(places[i].getOffset()).isEqualTo(offset);
            assertThat(places[i].getLength()).isEqualTo(Math.min(BLOCK, fileLength - offset));
            assertThat(places[i].getHosts()).containsExactly(HOST);
            assertThat(places[i].getNames()).containsExactly(datanode.address());
            assertThat(places[i].getTopologyPaths()).containsExactly("/default-rack/" + datanode.address());
            assertThat(places[i].getCachedHosts()).isEmpty();
            assertThat(places[i].isCorrupt()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // length of the file, begin and length of the range, first block and number of blocks
        "0, 0, 1, 0, 0",
        "0, 0, 9223372036854775807, 0, 0",
        "1, 0, 1, 0, 1",
        "1, 0, 9223372036854775807, 0, 1",
        "1, 0, 0, 0, 0",
        "1, 1, 1, 0, 0",
        "65536, 0, 65536, 0, 1",
        "65536, 65535, 1, 0, 1",
        "65536, 65536, 1, 0, 0",
        "65537, 0, 65536, 0, 1",
        "65537, 0, 65537, 0, 2",
        "65537, 65536, 1, 1, 1",
        "196607, 0, 9223372036854775807, 0, 3",
        "196607, 65535, 1, 0, 1",
        "196607, 65535, 2, 0, 2",
        "196607, 65536, 65536, 1, 1",
        "196607, 70000, 1, 1, 1",
        "196607, 70000, 65536, 1, 2",
        "196607, 131072, 9223372036854775807, 2, 1",
        "196607, 196606, 1, 2, 1",
        "196607, 196607, 1, 0, 0",
        "196607, 9223372036854775807, 9223372036854775807, 0, 0"
    })
    void shouldTellTheBlocksOfARange(int fileLength, long start, long length, int firstBlock, int blocks)
            throws Exception {
        write(fileLength);
        FileStatus status = fs.getFileStatus(FILE);
        assertPlaces(fs.getFileBlockLocations(status, start, length), fileLength, firstBlock, blocks);
        assertPlaces(fs.getFileBlockLocations(FILE, start, length), fileLength, firstBlock, blocks);
        assertPlaces(context.getFileBlockLocations(FILE, start, length), fileLength, firstBlock, blocks);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BLOCK, BLOCK + 1, 3 * BLOCK - 1})
    void shouldTellAllBlocksInListings(int fileLength) throws Exception {
        write(fileLength);
        assertListed(fs.listLocatedStatus(ROOT), fileLength);
        assertListed(fs.listLocatedStatus(FILE), fileLength);
        assertListed(fs.listFiles(ROOT, true), fileLength);
        assertListed(context.listLocatedStatus(ROOT), fileLength);
    }

    private void assertListed(RemoteIterator<LocatedFileStatus> listing, int fileLength) throws IOException {
        LocatedFileStatus status = listing.next();
        assertThat(listing.hasNext()).isFalse();
        assertPlaces(status.getBlockLocations(), fileLength, 0, (fileLength + BLOCK - 1) / BLOCK);
    }

    /** Without another name for it. */
    @Test
    void shouldNameTheHostThatTheDatanodeIsOn() throws Exception {
        write(1);
        InetAddress address = datanode.socketAddress().getAddress();
        try (FileSystem plain =
                FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()))) {
            BlockLocation[] places = plain.getFileBlockLocations(FILE, 0, 1);
            assertThat(places).hasSize(1);
            assertThat(places[0].getHosts()).containsExactly(address.getCanonicalHostName());
            assertThat(plain.listLocatedStatus(ROOT)
                            .next()
                            .getBlockLocations()[0]
                            .getHosts())
                    .containsExactly(address.getCanonicalHostName());
        }
    }

    @Test
    void shouldTellNothingOfWhatHasNoBlocks() throws Exception {
        fs.mkdirs(ROOT);
        assertThat(fs.getFileBlockLocations(fs.getFileStatus(ROOT), 0, 1)).isEmpty();
        assertThat(fs.getFileBlockLocations((FileStatus) null, 0, 1)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, -1", "-1, -1", "5, -9223372036854775808"})
    void shouldRefuseNegativeRanges(long start, long length) throws Exception {
        write(1);
        FileStatus status = fs.getFileStatus(FILE);
        assertThatThrownBy(() -> fs.getFileBlockLocations(status, start, length))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fs.getFileBlockLocations(FILE, start, length))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> context.getFileBlockLocations(FILE, start, length))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
