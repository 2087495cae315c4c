/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RollbackTest {
    private final List<String> given = new ArrayList<>();

    private boolean give(String what) {
        return given.add(what);
    }

    @Test
    void shouldGiveBackInReverseOrderWhatWasMadeBeforeAFailure() {
        assertThatThrownBy(() -> {
                    try (Rollback made = new Rollback()) {
                        made.add("first", () -> give("first"));
                        made.add("second", () -> give("second"));
                        throw new IOException("the third step failed");
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("the third step failed")
                .hasNoSuppressedExceptions();

        assertThat(given).containsExactly("second", "first");
    }

    @Test
    void shouldGoOnWhenAStepFails() {
        try (Rollback made = new Rollback()) {
            made.add("first", () -> give("first"));
            made.add("second", () -> {
                throw new IOException("on purpose");
            });
        }

        assertThat(given).containsExactly("first");
    }

    @Test
    void shouldGiveNothingBackOfWhatIsKept() {
        try (Rollback made = new Rollback()) {
            made.add("first", () -> give("first"));
            made.keep();
        }

        assertThat(given).isEmpty();
    }
}
