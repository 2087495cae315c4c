/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BriefWaitTest {
    private static final long LIMIT_SECONDS = 20;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong nowNs = new AtomicLong();
    private final BriefWait wait = new BriefWait(nowNs::get);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void shouldGiveUpWhenNoAnswerComes() {
        BriefWait byRealTime = new BriefWait(System::nanoTime);
        CompletableFuture<String> never = new CompletableFuture<>();
        byRealTime.until(never::isDone);
        byRealTime.until(never::isDone); // the first has made way for the second
        assertThat(never).isNotDone();
    }

    @Test
    void shouldLetOneThreadWaitAtFirst() throws Exception {
        assertThatSoManyMayWait(1);
    }

    @Test
    void shouldLetOneMoreWaitWhenAsManyAsMayHaveGotTheirAnswersInTime() throws Exception {
        assertThatSoManyMayWait(1);
        assertThatSoManyMayWait(2);
        assertThatSoManyMayWait(3);
    }

    @Test
    void shouldLetOneLessWaitAfterAnAnswerThatDidNotComeInTime() throws Exception {
        for (int count = 1; count <= 3; count++) {
            assertThatSoManyMayWait(count); // so that now 4 may
        }
        waitInVain();
        assertThatSoManyMayWait(3);
    }

    @Test
    void shouldLetOneLessWaitForEachAnswerThatWasLateAfterTheOther() throws Exception {
        for (int count = 1; count <= 3; count++) {
            assertThatSoManyMayWait(count);
        }
        waitInVain();
        waitInVain();
        assertThatSoManyMayWait(2);
    }

    @Test
    void shouldLetOneLessWaitAfterTwoAnswersThatWereLateAtTheSameTime() throws Exception {
        for (int count = 1; count <= 3; count++) {
            assertThatSoManyMayWait(count);
        }
        waitInVainWithAnother();
        assertThatSoManyMayWait(3);
    }

    @Test
    void shouldLetOneLessWaitAfterABusyThreadHadTheProcessorUntilTheAnswerWasThere() throws Exception {
        for (int count = 1; count <= 3; count++) {
            assertThatSoManyMayWait(count);
        }
        AtomicInteger looks = new AtomicInteger();
        wait.until(() -> {
            boolean isFirst = looks.getAndIncrement() == 0;
            nowNs.addAndGet(isFirst ? 0 : BriefWait.LIMIT_NS);
            return !isFirst;
        });
        assertThat(looks).hasValue(2);
        assertThatSoManyMayWait(3);
    }

    @Test
    void shouldGiveTimeToOthersThatBeginMeanwhile() throws Exception {
        waitWhileOthersBegin(BriefWait.MOST_THREADS, BriefWait.MOST_NS - 1);
        assertThatSoManyMayWait(2);
    }

    @Test
    void shouldGiveTimeToOthersThatOnlySpinMeanwhile() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        AtomicInteger spins = new AtomicInteger();
        wait.until(() -> {
            if (looks.getAndIncrement() == 0) {
                return false;
            }
            wait.until(() -> spins.incrementAndGet() == 2, new BriefSpin(nowNs::get));
            nowNs.addAndGet(BriefWait.LIMIT_NS);
            return true;
        });
        assertThatSoManyMayWait(2);
    }

    @Test
    void shouldWaitAfterASpinInVain() {
        AtomicInteger looks = new AtomicInteger();
        BriefSpin spin = new BriefSpin(nowNs::get);
        wait.until(
                () -> {
                    nowNs.addAndGet(BriefSpin.LIMIT_NS);
                    return looks.incrementAndGet() == 10;
                },
                spin);
        assertThat(looks).hasValue(10);
        AtomicInteger looksOfNext = new AtomicInteger();
        assertThat(spin.until(() -> looksOfNext.incrementAndGet() == 2)).isFalse(); // as the first has spun
    }

    @Test
    void shouldGiveTimeToNoMoreThanTheMostOthers() throws Exception {
        waitWhileOthersBegin(BriefWait.MOST_THREADS + 1, BriefWait.MOST_NS);
        assertThatSoManyMayWait(1);
    }

    @Test
    void shouldAlwaysLetOneThreadWait() throws Exception {
        waitInVain();
        waitInVain();
        assertThatSoManyMayWait(1);
    }

    @Test
    void shouldLetNoMoreThanTheMostWait() throws Exception {
        for (int count = 1; count <= BriefWait.MOST_THREADS; count++) {
            assertThatSoManyMayWait(count);
        }
        assertThatSoManyMayWait(BriefWait.MOST_THREADS);
    }

    /** While the clock stands still. All get their answers afterwards. */
    private void assertThatSoManyMayWait(int count) throws Exception {
        List<Answer> answers = new ArrayList<>();
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Answer answer = new Answer();
            answers.add(answer);
            ends.add(threads.submit(() -> wait.until(answer::isDone)));
            assertThat(answer.lookedAtTwice.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("thread %d waits", i)
                    .isTrue();
        }
        threads.submit(() -> wait.until(new Answer()::isDone))
                .get(LIMIT_SECONDS, TimeUnit.SECONDS); // one more does not
        for (int i = 0; i < count; i++) {
            answers.get(i).complete("here");
            ends.get(i).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** As the only thread that may wait, as at first; the others sleep at once. It would never end otherwise, as the clock stands still. */
    private void waitWhileOthersBegin(int others, long tookNs) {
        AtomicInteger looks = new AtomicInteger();
        wait.until(() -> {
            if (looks.getAndIncrement() == 0) {
                return false;
            }
            for (int i = 0; i < others; i++) {
                wait.until(() -> false);
            }
            nowNs.addAndGet(tookNs);
            return true;
        });
    }

    private void waitInVain() {
        wait.until(() -> {
            nowNs.addAndGet(BriefWait.LIMIT_NS);
            return false;
        });
    }

    /** Another thread begins later, and stops to wait later. */
    private void waitInVainWithAnother() throws Exception {
        CountDownLatch otherWaits = new CountDownLatch(2);
        CountDownLatch thisHasStopped = new CountDownLatch(1);
        List<Future<?>> other = new ArrayList<>();
        AtomicInteger looks = new AtomicInteger();
        wait.until(() -> {
            if (looks.getAndIncrement() == 1) {
                other.add(threads.submit(() -> wait.until(() -> {
                    otherWaits.countDown();
                    if (otherWaits.getCount() == 0) {
                        awaitUnchecked(thisHasStopped);
                    }
                    return false;
                })));
                awaitUnchecked(otherWaits);
                nowNs.addAndGet(BriefWait.MOST_NS);
            }
            return false;
        });
        thisHasStopped.countDown();
        other.get(0).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Tells when somebody waits for it. */
    private static class Answer extends CompletableFuture<String> {
        final CountDownLatch lookedAtTwice = new CountDownLatch(2);

        @Override
        public boolean isDone() {
            lookedAtTwice.countDown();
            return super.isDone();
        }
    }
}
