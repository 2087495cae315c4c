/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.works;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.crail.comparison.works.Load.Done;
import org.apache.crail.comparison.works.Load.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LoadTest {
    private static final long AN_HOUR_MS = TimeUnit.HOURS.toMillis(1);

    @Test
    void shouldDoItOnceAtLeast() throws Exception {
        assertThat(Load.repeat(0, Integer.MAX_VALUE, i -> {}).count()).isEqualTo(1);
        assertThat(Load.time(0, Integer.MAX_VALUE, i -> {}).count()).isEqualTo(1);
    }

    @Test
    void shouldStopWhenThereIsNothingLeftToDo() throws Exception {
        int[] last = new int[1];
        assertThat(Load.repeat(AN_HOUR_MS, 7, i -> last[0] = i).last()).isEqualTo(6);
        assertThat(last[0]).isEqualTo(6);
        assertThat(Load.time(AN_HOUR_MS, 5, i -> last[0] = i).last()).isEqualTo(4);
        assertThat(last[0]).isEqualTo(4);
    }

    /** The two did 1 + 3 operations in the 4 s between the first begin and the last end. */
    @Test
    void shouldDivideWhatAllDidByTheTimeFromTheFirstBeginToTheLastEnd() {
        long originNs = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(2); // the clock overflows in between
        Done one = new Done(1, originNs + TimeUnit.SECONDS.toNanos(1), originNs + TimeUnit.SECONDS.toNanos(4));
        Done other = new Done(3, originNs, originNs + TimeUnit.SECONDS.toNanos(2));

        assertThat(Done.all(List.of(one, other)).perSecond()).isEqualTo(1.0);
        assertThat(Done.all(List.of(other, one)).perSecond()).isEqualTo(1.0);
    }

    /** No first operation ends before all have begun, which is possible only if all threads run at once. */
    @Test
    void shouldGiveEachOperationAThread() throws Exception {
        CountDownLatch begun = new CountDownLatch(5);
        Operation meet = i -> {
            begun.countDown();
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        };

        List<Done> done = Load.together(1, Stream.generate(() -> meet).limit(5).toList());

        assertThat(done).hasSize(5).allSatisfy(each -> assertThat(each.count()).isPositive());
    }

    @Test
    void shouldFailIfOneThreadFails() {
        Operation broken = i -> {
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> Load.together(1, List.of(i -> {}, broken)))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("broken");
    }
}
