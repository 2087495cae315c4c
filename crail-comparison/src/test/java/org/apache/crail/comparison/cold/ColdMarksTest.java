/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.util.List;
import org.apache.crail.comparison.cold.ColdMarks.Mark;
import org.junit.jupiter.api.Test;

final class ColdMarksTest {
    private static final List<String> LINES = List.of(
            "MARK 0 600000 900", "a warning", "MARK 1 640500 950", "MARK 100 700000 950", "MARK 2000 1600000 2200");

    @Test
    void shouldReadMarksAmongOtherLines() throws IOException {
        ColdMarks marks = ColdMarks.parse(LINES);

        assertThat(marks.marks())
                .containsExactly(
                        new Mark(0, 600_000, 900),
                        new Mark(1, 640_500, 950),
                        new Mark(100, 700_000, 950),
                        new Mark(2_000, 1_600_000, 2_200));
        assertThat(marks.operations()).isEqualTo(2_000);
    }

    @Test
    void shouldCountFromTheStartToTheFirstOperationAndFromTheOpenClientToTheOthers() throws IOException {
        assertThat(ColdMarks.parse(LINES).milliseconds("get-256"))
                .containsExactly(
                        entry(new ColdStep("get-256", "open", "wall"), 600.0),
                        entry(new ColdStep("get-256", "open", "processor"), 900.0),
                        entry(new ColdStep("get-256", "first", "wall"), 640.5),
                        entry(new ColdStep("get-256", "first", "processor"), 950.0),
                        entry(new ColdStep("get-256", "100", "wall"), 100.0),
                        entry(new ColdStep("get-256", "100", "processor"), 50.0),
                        entry(new ColdStep("get-256", "2000", "wall"), 1_000.0),
                        entry(new ColdStep("get-256", "2000", "processor"), 1_300.0));
    }

    @Test
    void shouldCountOneTickOfProcessorTimeAtLeast() throws IOException {
        List<String> lines = List.of("MARK 0 600000 900", "MARK 1 640500 900", "MARK 100 700000 900");

        assertThat(ColdMarks.parse(lines).milliseconds("lookup"))
                .containsEntry(new ColdStep("lookup", "100", "processor"), 10.0);
    }

    @Test
    void shouldRefuseWhatIsNotWhole() {
        assertThatIOException()
                .isThrownBy(() -> ColdMarks.parse(List.of("MARK 0 600000 900", "it failed")))
                .withMessageContaining("it failed");
        assertThatIOException()
                .isThrownBy(() -> ColdMarks.parse(List.of("MARK 0 600000")))
                .withMessage("no three whole numbers: MARK 0 600000");
        assertThatIOException()
                .isThrownBy(() -> ColdMarks.parse(List.of("MARK 0 600000 9x")))
                .withMessage("no three whole numbers: MARK 0 600000 9x");
    }

    @Test
    void shouldKnowAStepByItsText() {
        ColdStep step = new ColdStep("put-1m", "100", "processor");

        assertThat(step).hasToString("put-1m/100/processor");
        assertThat(ColdStep.parse("put-1m/100/processor")).isEqualTo(step);
        assertThatIllegalArgumentException().isThrownBy(() -> ColdStep.parse("put-1m"));
    }

    @Test
    void shouldCompareAPutWithAWriteOfTheSameSystem() {
        assertThat(ColdStep.otherWork("put-1m/100/wall", "crail-tcp")).containsExactly("write-1m/100/wall/crail-tcp");
        assertThat(ColdStep.otherWork("put-1m", "crail-tcp")).isEmpty();
        assertThat(ColdStep.otherWork("write-1m/100/wall", "crail-tcp")).isEmpty();
    }

    @Test
    void shouldAddUpUserAndSystemTimeWhateverTheProcessIsCalled() {
        String stat = "71 (a ) b) R 1 71 71 0 -1 4194560 9 0 0 0 123 45 6 7 20 0 1 0 99 1 2";

        assertThat(ColdClient.processorMs(stat)).isEqualTo(1_680);
    }
}
