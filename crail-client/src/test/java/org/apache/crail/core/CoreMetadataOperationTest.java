/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.InternalErrorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CoreMetadataOperationTest {
    @Test
    void shouldEndWhateverFollowsTheAnswer() throws Exception {
        TestCluster cluster = new TestCluster();
        try {
            CoreMetadataOperation<String, String> operation = new CoreMetadataOperation<>(cluster.store.calls()) {
                @Override
                String succeeded(String response) {
                    throw new OutOfMemoryError("no memory");
                }

                @Override
                boolean meansNothing(ErrorCode code) {
                    return false;
                }
            };

            operation.accept("the answer", null);

            assertThatThrownBy(() -> operation.get(0, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(InternalErrorException.class)
                    .hasMessageContaining("no memory");
            assertThat(cluster.store.calls().operations().idle()).isDone();
        } finally {
            cluster.close();
        }
    }
}
