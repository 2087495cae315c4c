/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallSlotTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, Greeting.LARGEST_DEPTH - 1})
    void shouldTellItsIndexInEachTicket(int index) {
        CallSlot slot = new CallSlot(index);
        int last = -1;
        for (int i = 0; i < 300_000; i++) {
            int ticket = slot.begin();
            assertThat(ticket).isNotNegative().isNotEqualTo(last);
            assertThat(CallSlot.indexOf(ticket)).isEqualTo(index);
            last = ticket;
        }
    }

    @Test
    void shouldEndWhenSentAndAnsweredInEitherOrder() {
        CallSlot slot = new CallSlot(3);
        int first = slot.begin();
        slot.sent();
        assertThat(slot.endIfDone()).isFalse();
        assertThat(slot.answer(first)).isTrue();
        assertThat(slot.endIfDone()).isTrue();

        int second = slot.begin();
        assertThat(slot.answer(second)).isTrue();
        assertThat(slot.endIfDone()).isFalse();
        slot.sent();
        assertThat(slot.endIfDone()).isTrue();
    }

    @Test
    void shouldNoticeAnswersThatWereNotAskedFor() {
        CallSlot slot = new CallSlot(3);
        int first = slot.begin();
        slot.sent();
        assertThat(slot.answer(first)).isTrue();
        assertThat(slot.endIfDone()).isTrue();
        int second = slot.begin();
        assertThat(slot.answer(first)).as("the answer to the call before").isFalse();
        assertThat(slot.answer(second)).isTrue();
        assertThat(slot.answer(second)).as("a second answer").isFalse();
    }
}
