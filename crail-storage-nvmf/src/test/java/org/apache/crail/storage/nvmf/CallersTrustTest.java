/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallersTrustTest {
    private static final long LONG = 16_000_000;

    private final CallersTrust trust = new CallersTrust();

    @BeforeEach
    void needTwoProcessors() {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    }

    /** Another one may have no turn before it waits, or none at all, as a thread that does the work of sockets. */
    @Test
    void shouldTrustWhoHasTakenCompletionsUntilItTakesNone() throws Exception {
        trust.noteTaken();
        assertThat(trust.isTrusted()).isTrue();
        assertThat(CompletableFuture.supplyAsync(trust::isTrusted).get()).isFalse();
        assertThat(trust.isStillExpected(LONG)).isTrue();
        assertThat(trust.isStillExpected(0)).as("without time to come again").isTrue();
        assertThat(trust.isTrusted()).isTrue();
        assertThat(trust.isStillExpected(LONG)).as("since it was asked last").isFalse();
        assertThat(trust.isTrusted()).isFalse();
        assertThat(trust.isExpected()).isFalse();
    }

    @Test
    void shouldTryWhoHasFoundItsTransferDone() {
        assertThat(trust.isStillExpected(0)).isFalse();
        trust.noteSlower();
        assertThat(trust.isTrusted()).as("before the loop stands aside").isFalse();
        assertThat(trust.isStillExpected(0)).isTrue();
        assertThat(trust.isTrusted()).isTrue();
        trust.noteTaken();
        assertThat(trust.isStillExpected(LONG)).isTrue();
    }

    /** It may wait otherwise, as for several transfers together, and would wait for the loop each time. */
    @Test
    void shouldTryItMoreAndMoreSeldomIfThatIsInVain() {
        for (int ignored : new int[] {0, 1, 3, 7, 15}) {
            for (int i = 0; i < ignored; i++) {
                trust.noteSlower();
                assertThat(trust.isStillExpected(0)).isFalse();
            }
            trust.noteSlower();
            assertThat(trust.isStillExpected(0)).isTrue();
            assertThat(trust.isStillExpected(LONG)).isFalse();
        }
    }

    @Test
    void shouldTryItAtOnceAfterItHasTakenSome() {
        trust.noteSlower();
        assertThat(trust.isStillExpected(0)).isTrue();
        assertThat(trust.isStillExpected(LONG)).isFalse();
        trust.noteTaken();
        assertThat(trust.isStillExpected(LONG)).isTrue();
        assertThat(trust.isStillExpected(LONG)).isFalse();
        trust.noteSlower();
        assertThat(trust.isStillExpected(0)).isTrue();
    }

    /** Who withdraws it is about to sleep. */
    @Test
    void shouldHaveTheLoopTakeCompletionsOnceTrustIsWithdrawn() {
        trust.noteTaken();
        trust.withdraw();
        assertThat(trust.isExpected()).isFalse();
        trust.noteForestalled(Thread.currentThread());
        assertThat(trust.isStillExpected(0)).isFalse();
        assertThat(trust.isTrusted()).isFalse();
        trust.withdraw();
        trust.noteTaken();
        assertThat(trust.isStillExpected(0)).isTrue();
    }
}
