/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.storage.datanode.Datanode;
import org.apache.crail.testkit.MemoryTier;
import org.apache.crail.testkit.MemoryTransport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which namenode a URI means, and which paths belong to it, whatever else the default file system is. */
@Tag("hdfs")
class AddressesTest {
    private static final URI NO_ADDRESS = URI.create("crail:///");

    /** Where nobody listens. */
    private static final String NOBODY = "crail://localhost:1/";

    private static final List<String> PATHS_WITHOUT_ADDRESS =
            List.of("crail:///addresses/full", "crail:/addresses/short", "/addresses/plain", "addresses/relative");

    private static Configuration withUsual(String usual) {
        Configuration conf = SharedCluster.configure(new Configuration());
        conf.set("fs.defaultFS", usual);
        return conf;
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Writes, finds, reads, moves and deletes a file by this path, and by the one that its status tells. */
    private static void assertServes(FileContext context, Path path) throws IOException {
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE);
        try (FSDataOutputStream out = context.create(path, flags, Options.CreateOpts.createParent())) {
            out.write(bytes(path));
        }
        FileStatus status = context.getFileStatus(path);
        assertThat(status.getPath()).isEqualTo(context.makeQualified(path));
        try (FSDataInputStream in = context.open(status.getPath())) {
            assertThat(in.readAllBytes()).isEqualTo(bytes(path));
        }
        Path moved = path.suffix("-moved");
        context.rename(path, moved);
        assertThat(context.util().listStatus(moved.getParent()))
                .extracting(FileStatus::getPath)
                .contains(context.makeQualified(moved));
        assertThat(context.util().exists(path)).isFalse();
        assertThat(context.delete(moved.getParent(), true)).isTrue();
    }

    /** As for a file context. */
    private static void assertServes(FileSystem fs, Path path) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(bytes(path));
        }
        FileStatus status = fs.getFileStatus(path);
        assertThat(status.getPath()).isEqualTo(fs.makeQualified(path));
        try (FSDataInputStream in = fs.open(status.getPath())) {
            assertThat(in.readAllBytes()).isEqualTo(bytes(path));
        }
        Path moved = path.suffix("-moved");
        assertThat(fs.rename(path, moved)).isTrue();
        assertThat(fs.listStatus(moved.getParent()))
                .extracting(FileStatus::getPath)
                .contains(fs.makeQualified(moved));
        assertThat(fs.exists(path)).isFalse();
        assertThat(fs.delete(moved.getParent(), true)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///", "hdfs://elsewhere:8020/", "crail:///"})
    void shouldTakeTheAddressOfTheConfigurationWithoutAnother(String usual) throws Exception {
        Configuration conf = withUsual(usual);
        FileContext context = FileContext.getFileContext(NO_ADDRESS, conf);
        try (FileSystem fs = FileSystem.newInstance(NO_ADDRESS, conf)) {
            for (String path : PATHS_WITHOUT_ADDRESS) {
                assertServes(context, new Path(path));
                assertServes(fs, new Path(path));
            }
        }
    }

    /** As Hadoop does by itself for file systems. */
    @Test
    void shouldTakeTheAddressOfTheDefaultFileSystemBeforeThatOfTheConfiguration() throws Exception {
        Configuration conf = withUsual(SharedCluster.uri().toString());
        conf.set(CrailKeys.NAMENODE_ADDRESS.name(), NOBODY);
        try (FileSystem fs = FileSystem.newInstance(NO_ADDRESS, conf)) {
            for (String path : PATHS_WITHOUT_ADDRESS) {
                assertServes(FileContext.getFileContext(NO_ADDRESS, conf), new Path(path));
                assertServes(FileContext.getFileContext(conf), new Path(path));
                assertServes(fs, new Path(path));
            }
        }
    }

    /** In memory, where servers take no ports of the machine, and all host names lead to them. */
    private interface InMemory {
        void use(Configuration conf) throws Exception;
    }

    private static void atTheUsualPort(String usual, InMemory test) throws Exception {
        CrailConfiguration settings = CrailConfiguration.createEmptyConfiguration();
        settings.set("crail.namenode.rpctype", MemoryTransport.class.getName());
        settings.set("crail.storage.types", MemoryTier.class.getName());
        settings.set("crail.blocksize", "64k");
        settings.set("crail.buffersize", "64k");
        settings.set("crail.slicesize", "16k");
        settings.set("crail.cachelimit", "0");
        settings.set(
                CrailKeys.CLUSTER_ID,
                UUID.randomUUID().toString()); // so that file contexts share no store of another test
        settings.set(CrailKeys.NAMENODE_ADDRESS.name(), "crail://localhost:9060");
        try (Namenode namenode = Namenode.start(settings, NamenodeOptions.none());
                Datanode datanode = Datanode.start(settings, null, 0, List.of("64"))) {
            assertThat(namenode.address().getPort()).isEqualTo(StoreSettings.DEFAULT_PORT);
            assertThat(datanode.capacityBytes()).isPositive();
            Configuration conf = new Configuration();
            settings.asMap().forEach(conf::set);
            conf.set(CrailKeys.NAMENODE_ADDRESS.name(), NOBODY);
            conf.set("fs.defaultFS", usual);
            conf.set("fs.AbstractFileSystem.crail.impl", CrailHDFS.class.getName());
            test.use(conf);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///", "hdfs://elsewhere:8020/", "crail://localhost/"})
    void shouldTakeTheUsualPortWithoutAnother(String usual) throws Exception {
        atTheUsualPort(usual, conf -> {
            URI uri = URI.create("crail://localhost/");
            FileContext context = FileContext.getFileContext(uri, conf);
            try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
                for (String text : List.of(
                        "crail://localhost/addresses/full",
                        "crail://localhost:9060/addresses/port",
                        "/addresses/plain",
                        "addresses/relative")) {
                    assertServes(context, new Path(text));
                    assertServes(fs, new Path(text));
                }
            }
        });
    }

    /** For a context of another file system these are two of Crail, which it must take for the same. */
    @Test
    void shouldRenameBetweenAPathWithThePortAndOneWithout() throws Exception {
        atTheUsualPort("file:///", conf -> {
            FileContext context = FileContext.getFileContext(URI.create("file:///"), conf);
            Path without = new Path("crail://localhost/renamed");
            Path with = new Path("crail://localhost:9060/again");
            EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
            context.create(without, flags).close();
            context.rename(without, with);
            assertThat(context.util().exists(without)).isFalse();
            context.rename(with, without);
            assertThat(context.util().exists(without)).isTrue();
        });
    }

    /** Java finds no host in them, only an address. */
    @Test
    void shouldTellHostsWithAnUnderscoreFromEachOther() throws Exception {
        atTheUsualPort("file:///", conf -> {
            URI uri = URI.create("crail://my_host/");
            AbstractFileSystem ofContext = AbstractFileSystem.get(uri, conf);
            try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
                assertServes(FileContext.getFileContext(uri, conf), new Path("crail://my_host/addresses/f"));
                assertServes(fs, new Path("crail://my_host:9060/addresses/f"));
                for (String text : List.of("crail://other_host/x", "crail://my_host:9061/x", "crail://localhost/x")) {
                    Path other = new Path(text);
                    assertThatThrownBy(() -> fs.getFileStatus(other))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("Wrong FS")
                            .hasMessageContaining(text);
                    assertThatThrownBy(() -> ofContext.checkPath(other))
                            .isInstanceOf(InvalidPathException.class)
                            .hasMessageContaining("Wrong FS")
                            .hasMessageContaining(text);
                }
            }
        });
    }

    /** It goes to the file system of the path, as file contexts do. */
    @Test
    void shouldReachAnotherAddressThroughAFileContext() throws Exception {
        Configuration conf = withUsual("file:///");
        FileContext context = FileContext.getFileContext(conf);
        Path full = new Path(SharedCluster.uri() + "addresses/full");
        assertServes(context, full);
        assertServes(context, new Path("crail:///addresses/short"));
        assertThatThrownBy(() -> context.getFileStatus(full)).isInstanceOf(FileNotFoundException.class);
    }
}
