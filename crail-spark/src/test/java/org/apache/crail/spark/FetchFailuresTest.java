/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.crail.error.ErrorCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a failure says of an output, and what it says when it has lasted. */
@Tag("spark")
class FetchFailuresTest {
    @ParameterizedTest
    @CsvSource({
        "NODE_NOT_FOUND, LOST, LOST",
        "STALE_NODE, LOST, LOST",
        "DATANODE_LOST, LOST, LOST",
        "STORAGE_FAILURE, LOST, LOST",
        "DATANODE_UNREACHABLE, DATANODE_AWAY, LOST",
        "STALE_BLOCK, DATANODE_AWAY, LOST",
        "TIMEOUT, SILENCE, OTHER",
        "NAMENODE_UNREACHABLE, NAMENODE_AWAY, OTHER",
        "SESSION_LOST, NAMENODE_AWAY, OTHER",
        "NAMENODE_BUSY, NAMENODE_AWAY, OTHER",
        "CLOSED, OTHER, OTHER",
        "OUT_OF_MEMORY, OTHER, OTHER"
    })
    void shouldTellLostOutputsFromServersThatDoNotAnswer(ErrorCode code, FetchFailures first, FetchFailures inTheEnd) {
        FetchFailures kind = FetchFailures.of(code.exception("to show"));
        assertThat(kind).isEqualTo(first);
        assertThat(kind.inTheEnd()).isEqualTo(inTheEnd);
    }

    @Test
    void shouldTakeABrokenOutputForLostAndAnythingElseForNone() {
        assertThat(FetchFailures.of(new BrokenOutputException("to show"))).isEqualTo(FetchFailures.LOST);
        assertThat(FetchFailures.of(new IOException("to show"))).isEqualTo(FetchFailures.OTHER);
    }

    @Test
    void shouldFindOutByTheNamenodeWhoDidNotAnswer() {
        assertThat(FetchFailures.behindSilence(List.of(), null)).isEqualTo(FetchFailures.DATANODE_AWAY);
        assertThat(FetchFailures.behindSilence(null, null)).isEqualTo(FetchFailures.LOST);
        IOException lost = ErrorCode.DATANODE_LOST.exception("to show");
        assertThat(FetchFailures.behindSilence(null, new CompletionException(lost)))
                .isEqualTo(FetchFailures.LOST);
        for (ErrorCode code : List.of(ErrorCode.TIMEOUT, ErrorCode.NAMENODE_UNREACHABLE)) {
            assertThat(FetchFailures.behindSilence(null, code.exception("to show")))
                    .isEqualTo(FetchFailures.NAMENODE_AWAY);
        }
    }

    @Test
    void shouldFindTheCauseInFailuresOfFutures() {
        IOException cause = new IOException("to show");
        assertThat(FetchFailures.cause(new CompletionException(new ExecutionException(cause))))
                .isSameAs(cause);
        assertThat(FetchFailures.cause(cause)).isSameAs(cause);
    }
}
