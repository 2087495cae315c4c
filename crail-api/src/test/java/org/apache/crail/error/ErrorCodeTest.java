/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {
    @ParameterizedTest
    @EnumSource
    void shouldMakeAnExceptionOfItsOwn(ErrorCode code) {
        IOException cause = new IOException("cause");
        CrailException exception = code.exception("what", cause);
        assertThat(exception).isInstanceOf(IOException.class).hasMessage("what").hasCause(cause);
        assertThat(exception.code()).isEqualTo(code);
        assertThat(ErrorCode.ofNumber(code.number())).isEqualTo(code);
    }

    @Test
    void shouldRepeatNoTextWhenAFailureIsThrownAgain() {
        IOException cause = new IOException("cause");
        CrailException again = ErrorCode.STALE_NODE.exception("what", cause).again("why: what");

        assertThat(again)
                .isInstanceOf(StaleNodeException.class)
                .hasMessage("why: what")
                .hasCause(cause);
    }

    @Test
    void shouldHaveOneExceptionClassPerCode() {
        Set<Class<?>> classes = new HashSet<>();
        for (ErrorCode code : ErrorCode.values()) {
            classes.add(code.exception("what").getClass());
        }
        assertThat(classes).hasSameSizeAs(ErrorCode.values());
    }

    @Test
    void shouldTakeUnknownNumbersForInternalErrors() {
        assertThat(ErrorCode.ofNumber(0)).isEqualTo(ErrorCode.INTERNAL);
        assertThat(ErrorCode.ofNumber(-5)).isEqualTo(ErrorCode.INTERNAL);
        assertThat(ErrorCode.ofNumber(1000)).isEqualTo(ErrorCode.INTERNAL);
    }
}
