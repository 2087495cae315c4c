/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.jnvmf.Answers;
import java.io.IOException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StorageFailureException;
import org.junit.jupiter.api.Test;

class AdminFailureTest {
    @Test
    void shouldNameTheStatusThatTheTargetAnswered() {
        assertThat(AdminFailure.of(new IOException(Answers.failure(0, 0x02))))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining("the target answered Invalid Field in Command (0x002)");
        assertThat(AdminFailure.of(Answers.failure(0, 0x01))).hasMessageContaining("Invalid Command Opcode (0x001)");
    }

    @Test
    void shouldTellOfAStatusThatIsNotKnown() {
        assertThatThrownBy(() -> Answers.failure(0, 0x06)).isInstanceOf(IllegalArgumentException.class);
        assertThat(AdminFailure.of(new IllegalArgumentException("No enum with value 6")))
                .hasMessage("the target answered with a status that jNVMf does not know (No enum with value 6)");
    }

    @Test
    void shouldTellOfAnEndWhereThereIsNoAnswer() {
        assertThat(AdminFailure.of(new IOException("No command with CID 3")))
                .isNotInstanceOf(DatanodeUnreachableException.class)
                .hasMessage("the connection has ended, or the target does not answer (No command with CID 3)");
    }
}
