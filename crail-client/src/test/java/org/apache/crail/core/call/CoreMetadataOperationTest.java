/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.InternalErrorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CoreMetadataOperationTest {
    @Test
    void shouldEndWhateverFollowsTheAnswer() throws Exception {
        try (NamenodeRouter router = NamenodeRouter.create(CrailConfiguration.createEmptyConfiguration(), null)) {
            MetadataCalls calls = new MetadataCalls(router, new ClusterSettings(4096, 0, 512, 1, 1, 1));
            CoreMetadataOperation<String, String> operation = new CoreMetadataOperation<>(calls) {
                @Override
                protected String succeeded(String response) {
                    throw new OutOfMemoryError("no memory");
                }

                @Override
                protected boolean meansNothing(ErrorCode code) {
                    return false;
                }
            };

            operation.accept("the answer", null);

            assertThatThrownBy(() -> operation.get(0, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(InternalErrorException.class)
                    .hasMessageContaining("no memory");
            assertThat(calls.operations().idle()).isDone();
        }
    }
}
