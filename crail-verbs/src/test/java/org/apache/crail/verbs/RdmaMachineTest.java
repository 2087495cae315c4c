/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a machine lacks, on machines made of files. */
final class RdmaMachineTest {
    @TempDir
    Path root;

    private RdmaMachine machine;

    @BeforeEach
    void makeCompleteMachine() throws IOException {
        machine = new RdmaMachine(root);
        write("sys/class/infiniband/rxe0", "");
        write("dev/infiniband/uverbs0", "");
        write("dev/infiniband/rdma_cm", "");
        write(
                "proc/self/limits",
                "Max processes  1  1  processes\nMax locked memory         8388608              8388608  bytes\n");
        write("proc/self/status", "Name:\tjava\nCapEff:\t0000000000000000\n");
    }

    @Test
    void shouldFindNothingWrongOnACompleteMachine() {
        assertThat(machine.deviceCause()).isNull();
        assertThat(machine.memlockCause(8388608)).isNull();
    }

    @Test
    void shouldMissADevice() throws IOException {
        Files.delete(root.resolve("sys/class/infiniband/rxe0"));
        assertThat(machine.deviceCause())
                .hasMessageContaining("no RDMA device")
                .hasMessageContaining("modprobe rdma_rxe");
    }

    @Test
    void shouldMissTheDirectoryOfDevices() {
        assertThat(new RdmaMachine(root.resolve("none")).deviceCause()).hasMessageContaining("no RDMA device");
    }

    @Test
    void shouldMissTheFileOfTheVerbs() throws IOException {
        Files.delete(root.resolve("dev/infiniband/uverbs0"));
        assertThat(machine.deviceCause()).hasMessageContaining("uverbs0").hasMessageContaining("modprobe ib_uverbs");
    }

    @Test
    void shouldMissTheFileOfTheConnectionManager() throws IOException {
        Files.delete(root.resolve("dev/infiniband/rdma_cm"));
        assertThat(machine.deviceCause()).hasMessageContaining("rdma_cm").hasMessageContaining("modprobe rdma_ucm");
    }

    @Test
    void shouldMissThePermission() throws IOException {
        write("dev/infiniband/uverbs1", "");
        assertThat(new RdmaMachine(root, node -> false).deviceCause())
                .hasMessageContaining("may not read and write")
                .hasMessageContaining("uverbs0")
                .hasMessageContaining("rdma_cm");
        assertThat(new RdmaMachine(root, node -> !node.endsWith("rdma_cm")).deviceCause())
                .hasMessageContaining("rdma_cm")
                .hasMessageNotContaining("uverbs");
        assertThat(new RdmaMachine(root, node -> !node.endsWith("uverbs0")).deviceCause())
                .as("another device can be used")
                .isNull();
    }

    @Test
    void shouldNameTheMemlockLimitAndTheFix() throws IOException {
        write("proc/self/limits", "Max locked memory         65536                65536                bytes     \n");
        assertThat(machine.memlockCause(1 << 20))
                .hasMessageContaining("1048576")
                .hasMessageContaining("65536 bytes")
                .hasMessageContaining("ulimit -l unlimited")
                .hasMessageContaining("LimitMEMLOCK=infinity");
    }

    @Test
    void shouldHaveNoMemlockLimitWhereThereIsNoneOrTheProcessMayLockAnyway() throws IOException {
        write("proc/self/limits", "Max locked memory         unlimited            unlimited            bytes\n");
        assertThat(machine.memlockCause(Long.MAX_VALUE)).isNull();
        write("proc/self/limits", "Max locked memory         65536                65536                bytes\n");
        write("proc/self/status", "CapEff:\t000001ffffffffff\n");
        assertThat(machine.memlockCause(Long.MAX_VALUE)).isNull();
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }
}
