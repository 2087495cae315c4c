/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CrailClassesTest {
    @Test
    void shouldEqualWhatHasTheSameNumber() {
        assertThat(CrailStorageClass.get(3)).isEqualTo(CrailStorageClass.get(3)).isNotEqualTo(CrailStorageClass.get(4));
        assertThat(CrailStorageClass.get(-1)).isSameAs(CrailStorageClass.PARENT).hasToString("-1");
        assertThat(CrailStorageClass.get(0)).isSameAs(CrailStorageClass.DEFAULT);
        assertThat(CrailLocationClass.get(7)).hasSameHashCodeAs(CrailLocationClass.get(7));
        assertThatThrownBy(() -> CrailStorageClass.get(-2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("D15: a negative hash of a host's name is not taken for the parent's class")
    void shouldMakePositiveLocationClassesOfNegativeHashes() {
        String host = "node01.example.org";
        assertThat(host.hashCode()).isNegative();
        assertThat(CrailLocationClass.ofHost(host).value()).isPositive();
        assertThat(CrailLocationClass.get(host.hashCode())).isEqualTo(CrailLocationClass.ofHost(host));
        assertThat(CrailLocationClass.get("crail".hashCode())).isEqualTo(CrailLocationClass.ofHost("crail"));
        assertThat(CrailLocationClass.get(Integer.MIN_VALUE).value()).isPositive();
        assertThat(CrailLocationClass.get(-1)).isSameAs(CrailLocationClass.PARENT);
        assertThat(CrailLocationClass.get(0)).isSameAs(CrailLocationClass.DEFAULT);
    }

    @Test
    void shouldAdaptUpcomingToACompletableFuture() throws Exception {
        CompletableFuture<String> later = new CompletableFuture<>();
        Upcoming<String> upcoming = new FakeStore.Now<>(later);
        CompletableFuture<String> stage = upcoming.toCompletableFuture();
        assertThat(stage).isNotDone();
        later.complete("x");
        assertThat(stage.get(10, TimeUnit.SECONDS)).isEqualTo("x");
        assertThat(upcoming.toCompletableFuture()).isCompletedWithValue("x");
        assertThat(upcoming.early()).isEqualTo("x");
    }

    @Test
    void shouldGiveTheFailureItselfToACompletableFuture() {
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException("broken"));
        assertThat(new FakeStore.Now<>(failed).toCompletableFuture())
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(IOException.class)
                .withMessage("broken");
    }

    @Test
    void shouldAddUpProvidersOfOneName() {
        CrailStatistics statistics = new CrailStatistics();
        CrailBufferedStatistics first = new CrailBufferedStatistics("buffered/in");
        first.count(true);
        statistics.addProvider(first);
        statistics.addProvider(first);
        CrailBufferedStatistics second = new CrailBufferedStatistics("buffered/in");
        second.count(false);
        statistics.addProvider(second);
        assertThat(first.printStatistics()).isEqualTo("totalOps 2, blockingOps 1, nonBlockingOps 1");
        statistics.print("test");
        statistics.reset();
        assertThat(first.printStatistics()).isEqualTo("totalOps 0, blockingOps 0, nonBlockingOps 0");
    }

    @Test
    @DisplayName("D37: names are UTF-8 whatever the platform's charset")
    void shouldKeepNamesInUtf8() throws Exception {
        CrailPath path = CrailPath.parse("/ä/日本");
        assertThat(path.utf8()).isEqualTo(new byte[] {
            '/',
            (byte) 0xc3,
            (byte) 0xa4,
            '/',
            (byte) 0xe6,
            (byte) 0x97,
            (byte) 0xa5,
            (byte) 0xe6,
            (byte) 0x9c,
            (byte) 0xac
        });
        assertThat(CrailPath.ofUtf8(path.utf8())).isEqualTo(path).hasToString("/ä/日本");
    }

    @Test
    void shouldParseEveryLabelOfATypeAndNoOther() {
        List<CrailNodeType> parsed = new ArrayList<>();
        for (CrailNodeType type : CrailNodeType.values()) {
            parsed.add(CrailNodeType.parse(type.getLabel()));
        }
        assertThat(parsed).containsExactly(CrailNodeType.values());
        assertThatThrownBy(() -> CrailNodeType.parse(6)).isInstanceOf(IllegalArgumentException.class);
    }
}
