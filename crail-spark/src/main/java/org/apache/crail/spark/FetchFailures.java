/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.crail.error.CrailException;

/** What the failure of a read says of the output that is read. Stateless. */
enum FetchFailures {
    /** The output is not there, and will not be again: its map task has to run again. */
    LOST,

    /** Its datanode does not answer. It may come back, or the namenode finds out that it is lost. */
    DATANODE_AWAY,

    /** The namenode does not answer; that says nothing of the output. */
    NAMENODE_AWAY,

    /** Somebody has not answered in time; the namenode, if it is asked, shows who that was. */
    SILENCE,

    /** The output may be well, but this task cannot go on. */
    OTHER;

    static FetchFailures of(Throwable failure) {
        if (failure instanceof BrokenOutputException) {
            return LOST;
        }
        if (!(failure instanceof CrailException typed)) {
            return OTHER;
        }
        return switch (typed.code()) {
            case NODE_NOT_FOUND, PARENT_NOT_FOUND, STALE_NODE, DATANODE_LOST, STORAGE_FAILURE, POSITION_OUT_OF_RANGE ->
                LOST;
            case DATANODE_UNREACHABLE, STALE_BLOCK -> DATANODE_AWAY;
            case NAMENODE_UNREACHABLE, NAMENODE_BUSY, SESSION_LOST -> NAMENODE_AWAY;
            case TIMEOUT -> SILENCE;
            default -> OTHER;
        };
    }

    /** What it is where the range has been tried for long enough. */
    FetchFailures inTheEnd() {
        return switch (this) {
            case LOST, DATANODE_AWAY -> LOST;
            case NAMENODE_AWAY, SILENCE, OTHER -> OTHER;
        };
    }

    /**
     * Who it was that did not answer in time.
     *
     * @param places of the output, as the namenode answers behind that; null if the output is not there
     * @param failure null if the namenode answers
     */
    static FetchFailures behindSilence(List<?> places, Throwable failure) {
        if (failure == null) {
            return places == null ? LOST : DATANODE_AWAY;
        }
        FetchFailures kind = of(cause(failure));
        return kind == SILENCE ? NAMENODE_AWAY : kind;
    }

    /** The failure that a future has told. */
    static Throwable cause(Throwable failure) {
        boolean isWrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        return isWrapped && failure.getCause() != null ? cause(failure.getCause()) : failure;
    }

    /** What ends the task: a failure of its own, with the one of a future, which others may share, as its cause. */
    static IOException ending(MapRange range, Throwable cause) {
        return new IOException(
                "cannot read the output of map task " + range.mapIndex() + " of shuffle "
                        + range.plan().shuffleId() + ": " + cause.getMessage(),
                cause);
    }
}
