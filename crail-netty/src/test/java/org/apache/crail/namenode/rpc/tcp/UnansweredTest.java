/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnansweredTest {
    private static final boolean HURRIED = true;

    private final Unanswered unanswered = new Unanswered();

    @Test
    void shouldCountRequestsUntilTheyAreAnswered() {
        assertThat(unanswered.sent(HURRIED)).isEqualTo(1);
        assertThat(unanswered.sent(HURRIED)).isEqualTo(1);
        assertThat(unanswered.answered(1)).isEqualTo(1);
        assertThat(unanswered.answered(1)).isEqualTo(1);
    }

    @Test
    void shouldNotCountUnhurriedRequestsNorTheirAnswers() {
        assertThat(unanswered.sent(!HURRIED)).isZero();
        assertThat(unanswered.sent(HURRIED)).isEqualTo(1);
        assertThat(unanswered.sent(!HURRIED)).isZero();
        assertThat(unanswered.answered(1)).isZero();
        assertThat(unanswered.answered(2)).isEqualTo(1);
    }

    @Test
    void shouldIgnoreAnswersToNoRequest() {
        assertThat(unanswered.sent(HURRIED)).isEqualTo(1);
        assertThat(unanswered.answered(3)).isEqualTo(1);
        assertThat(unanswered.sent(HURRIED)).isEqualTo(1);
        assertThat(unanswered.answered(1)).isEqualTo(1);
    }

    @Test
    void shouldTellHowManyAreLeftAtTheEnd() {
        assertThat(unanswered.sent(HURRIED)).isEqualTo(1);
        assertThat(unanswered.sent(!HURRIED)).isZero();
        assertThat(unanswered.sent(HURRIED)).isEqualTo(1);
        assertThat(unanswered.end()).isEqualTo(2);
        assertThat(unanswered.end()).isZero();
    }
}
