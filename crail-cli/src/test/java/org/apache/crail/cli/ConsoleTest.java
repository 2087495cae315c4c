/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    @AfterEach
    void clear() {
        System.clearProperty(Console.TERMINAL);
    }

    /** Standard input and output of a test are none, as those of {@code crail fs -put - /f <file}. */
    @Test
    void shouldBeATerminalIfTheLauncherSaysSo() {
        System.setProperty(Console.TERMINAL, "true");

        assertThat(Console.system().isTerminal()).isTrue();
    }

    @Test
    void shouldBeNoTerminalOtherwise() {
        assertThat(Console.system().isTerminal()).isFalse();
    }
}
