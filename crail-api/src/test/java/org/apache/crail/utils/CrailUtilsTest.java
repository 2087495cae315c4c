/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.DataNodeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrailUtilsTest {
    @AfterEach
    void restore() {
        CrailConstants.updateConstants(CrailConfiguration.createEmptyConfiguration());
    }

    @ParameterizedTest
    @CsvSource({"/a/b, b, /a", "/a, a, /", "a/b/, b, a", "/, '',", "a, a, /"})
    void shouldTakePathsApart(String path, String name, String parent) {
        assertThat(CrailUtils.getName(path)).isEqualTo(name);
        assertThat(CrailUtils.getParent(path)).isEqualTo(parent);
    }

    @Test
    void shouldPutPathsTogether() {
        assertThat(CrailUtils.combinePath("/", "a")).isEqualTo("/a");
        assertThat(CrailUtils.combinePath("/a/", "b")).isEqualTo("/a/b");
    }

    @Test
    void shouldCountInBlocks() {
        assertThat(CrailUtils.blockStartAddress((3 << 20) + 5)).isEqualTo(3 << 20);
        assertThat(CrailUtils.nextBlockAddress((3 << 20) + 5)).isEqualTo(4 << 20);
        assertThat(CrailUtils.bufferStartAddress(1001, 100)).isEqualTo(1000);
        assertThat(CrailUtils.computeIndex((3 << 20) + 5)).isEqualTo(3);
        assertThat(CrailUtils.minFileBuf(5_000_000_000L, 7)).isEqualTo(7);
        assertThat(CrailUtils.minFileBuf(3, 7)).isEqualTo(3);
    }

    @Test
    void shouldKnowTheNamenodesOfTheLastStore() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.namenode.address", "crail://localhost:1, crail://[::1]:2");
        CrailConstants.updateConstants(conf);
        assertThat(CrailUtils.getNameNodeAddress().getPort()).isEqualTo(1);
        assertThat(CrailUtils.getPrimaryNameNode()).hasToString("crail://localhost:1");
        assertThat(CrailUtils.getNameNodeList()).hasSize(2).last().matches(address -> !address.isUnresolved());
        assertThat(CrailUtils.getServiceSize()).isEqualTo(2);
        assertThat(CrailUtils.getServiceId("crail://[::1]:2")).isEqualTo(1);
        assertThat(CrailUtils.verifyNamenode("crail://LOCALHOST:1")).isTrue();
        assertThat(CrailUtils.verifyNamenode("crail://localhost:3")).isFalse();
    }

    @Test
    @DisplayName("D15: the location class of a host is positive whatever the hash of its name")
    void shouldGiveAPositiveLocationClass() throws Exception {
        assertThat(CrailUtils.getLocationClass().value()).isPositive();
        assertThat(CrailUtils.getLocationClass()).isEqualTo(CrailUtils.getLocationClass());
    }

    /** Containers and new hosts often have a name that no resolver knows. */
    @Test
    void shouldGiveALocationClassToAHostWhoseNameLeadsNowhere() throws Exception {
        List<String> command = new ArrayList<>(List.of("unshare", "--uts", "sh", "-c"));
        command.add("hostname nowhere.invalid && exec \"$@\"");
        command.addAll(List.of(
                "sh", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OwnLocationClass.class.getName()));
        assumeTrue(
                new ProcessBuilder("unshare", "--uts", "hostname", "nowhere.invalid")
                                .start()
                                .waitFor()
                        == 0,
                "the name of the host can be changed by root only");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        assertThat(said)
                .contains(
                        "class " + CrailLocationClass.ofHost("nowhere.invalid").value() + "\n");
    }

    /** Prints the location class of the host that it runs on. */
    static final class OwnLocationClass {
        private OwnLocationClass() {}

        public static void main(String[] args) throws Exception {
            System.out.println("class " + CrailUtils.getLocationClass().value());
        }
    }

    @Test
    void shouldParseMaps() throws Exception {
        ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
        CrailUtils.parseMap("a/b, c/d,", map);
        assertThat(map).isEqualTo(Map.of("a", "b", "c", "d"));
        assertThatThrownBy(() -> CrailUtils.parseMap("a", map)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> CrailUtils.parseMap("a/b/c", map)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldKnowAddresses() throws Exception {
        assertThat(CrailUtils.isLocalAddress(InetAddress.getLoopbackAddress())).isTrue();
        assertThat(CrailUtils.isLocalAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1})))
                .isFalse();
        assertThat(CrailUtils.getIPAddressFromBytes(new byte[] {10, 0, 0, 1})).isEqualTo("10.0.0.1");
        DataNodeInfo datanode = new DataNodeInfo(0, 0, 0, "127.0.0.1", 5);
        assertThat(CrailUtils.datanodeInfo2SocketAddr(datanode).getPort()).isEqualTo(5);
        assertThat(CrailUtils.getStorageClasses("a.A,b.B")).isEqualTo(2);
        assertThat(CrailUtils.getStorageClasses("")).isZero();
    }

    @Test
    void shouldFindBuffersThatAreInUse() throws Exception {
        BufferCheckpoint checkpoint = new BufferCheckpoint();
        OffHeapBuffer buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(8));
        checkpoint.checkIn(buffer);
        assertThatThrownBy(() -> checkpoint.checkIn(buffer)).hasMessageContaining("Buffer already in use");
        checkpoint.checkOut(buffer);
        checkpoint.checkIn(buffer);
        assertThat(CrailUtils.getAddress(buffer.getByteBuffer())).isEqualTo(buffer.address());
    }
}
