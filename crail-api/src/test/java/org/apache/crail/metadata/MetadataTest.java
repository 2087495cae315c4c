/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetadataTest {
    @Test
    @DisplayName("D33: a datanode is reached by name, IPv4 or IPv6")
    void shouldDescribeDatanodesByAnyKindOfAddress() {
        assertThat(new DataNodeInfo(0, 0, 0, "h", 1).address()).isEqualTo("h:1");
        assertThat(new DataNodeInfo(0, 0, 0, new byte[] {10, 0, 0, 1}, 1).address())
                .isEqualTo("10.0.0.1:1");
        byte[] loopback = new byte[16];
        loopback[15] = 1;
        DataNodeInfo ipv6 = new DataNodeInfo(1, 2, 3, loopback, 4);
        assertThat(ipv6.address()).startsWith("[").endsWith("]:4");
        assertThat(ipv6.getIpAddress()).isEqualTo(loopback);
        assertThatThrownBy(() -> new DataNodeInfo(0, 0, 0, new byte[5], 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTellDatanodesOfOneAddressApartByTheirLocators() {
        DataNodeInfo none = new DataNodeInfo(0, 0, 0, "h", 1);
        DataNodeInfo one = new DataNodeInfo(0, 0, 0, "h", 1, "ns=1");
        DataNodeInfo other = new DataNodeInfo(0, 0, 0, "h", 1, "ns=2");
        assertThat(none.identity()).isEqualTo("h:1");
        assertThat(one.identity()).isEqualTo("h:1 [ns=1]");
        assertThat(one).isNotEqualTo(other).isNotEqualTo(none).isEqualTo(new DataNodeInfo(0, 0, 0, "h", 1, "ns=1"));
        assertThat(one.key()).isNotEqualTo(other.key());
        assertThat(one.address()).isEqualTo("h:1");
    }

    @Test
    void shouldKeepTheHistoricFormOfNames() throws Exception {
        FileName name = new FileName("/a/bb");
        assertThat(name.getLength()).isEqualTo(2);
        assertThat(name.getComponent(0)).isEqualTo("a".hashCode());
        assertThat(name.getFileComponent()).isEqualTo("bb".hashCode());
        ByteBuffer buffer = ByteBuffer.allocate(FileName.CSIZE);
        assertThat(name.write(buffer)).isEqualTo(68);
        FileName read = new FileName();
        read.update(buffer.flip());
        assertThat(read).isEqualTo(name).hasSameHashCodeAs(name).isEqualTo(new FileName(name));
        assertThatThrownBy(() -> new FileName("/a".repeat(17)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("filename with too many tokens");
        assertThatThrownBy(() -> read.update(ByteBuffer.allocate(68).putInt(0, 17)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKeepTheHistoricFormOfStatistics() throws Exception {
        DataNodeStatistics statistics = new DataNodeStatistics();
        statistics.setFreeBlockCount(7);
        statistics.setServiceId(3);
        ByteBuffer buffer = ByteBuffer.allocate(DataNodeStatistics.CSIZE);
        assertThat(statistics.write(buffer)).isEqualTo(12);
        DataNodeStatistics read = new DataNodeStatistics();
        read.update(buffer.flip());
        DataNodeStatistics copy = new DataNodeStatistics();
        copy.setStatistics(read);
        assertThat(copy.getFreeBlockCount()).isEqualTo(7);
        assertThat(copy.getServiceId()).isEqualTo(3);
        DataNodeStatus status = new DataNodeStatus();
        assertThat(status.getStatus()).isEqualTo(DataNodeStatus.STATUS_DATANODE_RUNNING);
        status.setStatus(DataNodeStatus.STATUS_DATANODE_STOP);
        assertThat(status.getStatus()).isEqualTo((short) 1);
    }
}
