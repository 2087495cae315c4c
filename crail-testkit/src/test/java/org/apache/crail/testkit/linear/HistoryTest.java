/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import static org.apache.crail.testkit.linear.NamespaceState.LISTED;
import static org.apache.crail.testkit.linear.NamespaceState.NONE;
import static org.apache.crail.testkit.linear.NamespaceState.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.testkit.linear.Action.Kind;
import org.apache.crail.testkit.linear.LinearSearch.Verdict;
import org.junit.jupiter.api.Test;

/** Which histories are accepted, and which are refused. */
class HistoryTest {
    private static final String STALE = "STALE_NODE";
    private static final String EXISTS = "NODE_EXISTS";

    private final List<Step> steps = new ArrayList<>();
    private Kind root = Kind.TABLE;

    private void call(long began, long ended, Action action, String answer) {
        steps.add(new Step("client", action, answer, began, ended));
    }

    private void inDoubt(long began, Action action) {
        steps.add(Step.pending("client", action, began));
    }

    /** A put of 10 bytes that nothing else meets. */
    private void put(long began, int id, String path) {
        call(began, began + 1, Action.create(id, path, Kind.VALUE, true), OK);
        call(began + 2, began + 3, Action.close(id, path, 10), OK);
    }

    private static String bytesOf(int id) {
        return NamespaceState.content(id, 10);
    }

    private History history() {
        return new History(NamespaceState.empty(root), steps);
    }

    private void assertAccepted() {
        assertThat(history().check()).isEqualTo(Verdict.LINEARIZABLE);
    }

    private void assertRefused() {
        assertThatThrownBy(() -> history().check())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("show it:");
    }

    @Test
    void shouldAcceptAnEmptyHistory() {
        assertAccepted();
    }

    @Test
    void shouldRefuseAGetOfWhatWasReplacedBeforeItBegan() {
        put(1, 1, "/a");
        put(11, 2, "/a");
        call(21, 22, Action.get("/a"), bytesOf(1));
        assertRefused();
    }

    @Test
    void shouldAcceptEitherValueWhileOneIsReplaced() {
        put(1, 1, "/a");
        call(11, 12, Action.create(2, "/a", Kind.VALUE, true), OK);
        call(13, 20, Action.close(2, "/a", 10), OK);
        call(14, 16, Action.get("/a"), bytesOf(1));
        call(15, 17, Action.get("/a"), bytesOf(2));
        assertAccepted();
    }

    @Test
    void shouldRefuseTheOldValueBehindTheNewOne() {
        put(1, 1, "/a");
        call(11, 12, Action.create(2, "/a", Kind.VALUE, true), OK);
        call(13, 20, Action.close(2, "/a", 10), OK);
        call(14, 15, Action.get("/a"), bytesOf(2));
        call(16, 17, Action.get("/a"), bytesOf(1));
        assertRefused();
    }

    @Test
    void shouldRefuseThatAPutShowsNothingOfTheFormerValue() {
        put(1, 1, "/a");
        call(11, 12, Action.create(2, "/a", Kind.VALUE, true), OK);
        call(13, 14, Action.get("/a"), "empty");
        assertRefused();
    }

    @Test
    void shouldAcceptThatAFirstPutIsFoundEmpty() {
        call(11, 12, Action.create(2, "/a", Kind.VALUE, true), OK);
        call(13, 14, Action.get("/a"), "empty");
        call(15, 16, Action.sync(2, "/a", 5), OK);
        call(17, 18, Action.lookup("/a"), "VALUE of 5 bytes");
        call(19, 20, Action.close(2, "/a", 10), OK);
        call(21, 22, Action.get("/a"), bytesOf(2));
        assertAccepted();
    }

    @Test
    void shouldAcceptThatAPutEndsWithTheTableThatAMoveReplaces() {
        root = Kind.DIRECTORY;
        call(1, 2, Action.create(1, "/s", Kind.TABLE, false), OK);
        call(3, 4, Action.create(2, "/t", Kind.TABLE, false), OK);
        put(5, 3, "/s/a");
        call(11, 12, Action.create(4, "/s/a", Kind.VALUE, true), OK);
        call(13, 14, Action.delete("/s/a", false), OK);
        call(15, 16, Action.move("/t", "/s", true), OK);
        call(17, 18, Action.seek(4, "/s/a"), STALE);
        assertAccepted();
    }

    @Test
    void shouldTakeTheLastCloseForTheLastPut() {
        put(1, 1, "/a");
        call(11, 12, Action.create(2, "/a", Kind.VALUE, true), OK);
        put(21, 3, "/a");
        call(31, 32, Action.close(2, "/a", 10), OK);
        call(33, 34, Action.get("/a"), bytesOf(2));
        assertAccepted();

        call(35, 36, Action.get("/a"), bytesOf(3));
        assertRefused();
    }

    @Test
    void shouldLetAFirstPutThatWasOvertakenEndWell() {
        call(1, 2, Action.create(1, "/a", Kind.VALUE, true), OK);
        put(11, 2, "/a");
        call(21, 22, Action.get("/a"), bytesOf(2));
        call(23, 24, Action.close(1, "/a", 10), OK);
        call(25, 26, Action.get("/a"), bytesOf(1));
        assertAccepted();
    }

    @Test
    void shouldRefuseThatAnOvertakenPutFails() {
        call(1, 2, Action.create(1, "/a", Kind.VALUE, true), OK);
        put(11, 2, "/a");
        call(21, 22, Action.close(1, "/a", 10), STALE);
        assertRefused();
    }

    @Test
    void shouldEndAFirstPutWithTheDeletionOfItsKey() {
        call(1, 2, Action.create(1, "/a", Kind.VALUE, true), OK);
        call(3, 4, Action.delete("/a", false), OK);
        call(5, 6, Action.close(1, "/a", 10), STALE);
        assertAccepted();
    }

    @Test
    void shouldRefuseADeletionThatFoundNothing() {
        put(1, 1, "/a");
        call(11, 12, Action.delete("/a", false), NONE);
        assertRefused();
    }

    @Test
    void shouldLetAPendingPutTakeEffectAtAnyTimeOrNever() {
        put(1, 1, "/a");
        call(11, 12, Action.create(2, "/a", Kind.VALUE, true), OK);
        inDoubt(13, Action.close(2, "/a", 10));
        call(21, 22, Action.get("/a"), bytesOf(1));
        assertAccepted();

        call(31, 32, Action.get("/a"), bytesOf(2));
        assertAccepted();

        call(41, 42, Action.get("/a"), bytesOf(1));
        assertRefused();
    }

    @Test
    void shouldRefuseThatAPendingCallTakesEffectBeforeItBegins() {
        put(1, 1, "/a");
        call(11, 12, Action.get("/a"), NONE);
        inDoubt(13, Action.delete("/a", false));
        assertRefused();
    }

    @Test
    void shouldRefuseThatAReplacingMoveLeavesNothingForAMoment() {
        put(1, 1, "/a");
        put(11, 2, "/b");
        call(21, 30, Action.move("/a", "/b", true), OK);
        call(22, 23, Action.lookup("/b"), NONE);
        assertRefused();
    }

    @Test
    void shouldRefuseThatBothPathsOfAMoveAreFoundOneAfterTheOther() {
        put(1, 1, "/a");
        call(21, 30, Action.move("/a", "/b", false), OK);
        call(22, 23, Action.list("/b"), LISTED);
        call(24, 25, Action.lookup("/a"), "VALUE of 10 bytes");
        assertRefused();
    }

    @Test
    void shouldMoveWhatIsBelow() {
        root = Kind.DIRECTORY;
        call(1, 2, Action.create(1, "/s", Kind.TABLE, false), OK);
        put(11, 2, "/s/a");
        call(21, 22, Action.create(3, "/s/a", Kind.VALUE, true), OK);
        call(23, 24, Action.move("/s", "/t", false), OK);
        call(25, 26, Action.get("/t/a"), bytesOf(2));
        call(27, 28, Action.close(3, "/s/a", 10), OK);
        call(29, 30, Action.get("/t/a"), bytesOf(3));
        call(31, 32, Action.lookup("/s/a"), NONE);
        assertAccepted();

        call(33, 34, Action.delete("/t", true), OK);
        call(35, 36, Action.get("/t/a"), bytesOf(3));
        assertRefused();
    }

    @Test
    void shouldLetTheFirstOfTwoCreatesOfAFileWin() {
        root = Kind.DIRECTORY;
        call(1, 4, Action.create(1, "/a", Kind.FILE, false), OK);
        call(2, 3, Action.create(2, "/a", Kind.FILE, false), EXISTS);
        assertAccepted();

        call(5, 6, Action.create(3, "/a", Kind.FILE, false), OK);
        assertRefused();
    }

    @Test
    void shouldCheckPathsApartUnlessACallJoinsThem() {
        root = Kind.DIRECTORY;
        put(1, 1, "/a/x");
        put(11, 2, "/b/x");
        assertThat(history().parts()).hasSize(2);

        call(21, 22, Action.move("/a", "/c", false), OK);
        assertThat(history().parts()).hasSize(2);

        call(23, 24, Action.move("/b", "/a", false), OK);
        assertThat(history().parts()).hasSize(1);
    }

    @Test
    void shouldShowOnlyTheCallsThatContradictEachOther() {
        put(1, 1, "/a");
        put(11, 2, "/b");
        call(21, 22, Action.get("/a"), bytesOf(1));
        call(23, 24, Action.get("/b"), bytesOf(2));
        call(25, 26, Action.lookup("/a"), NONE);
        call(27, 28, Action.get("/a"), bytesOf(1));

        assertThatThrownBy(() -> history().check())
                .hasMessageContaining("of 8 calls these show it")
                .hasMessageContaining("lookup /a -> none")
                .hasMessageNotContaining("/b")
                .hasMessageNotContaining("get");
    }

    @Test
    void shouldSayThatItHasGivenUp() {
        put(1, 1, "/a");
        assertThat(new LinearSearch(steps, 0).run(NamespaceState.empty(root))).isEqualTo(Verdict.UNDECIDED);
    }
}
