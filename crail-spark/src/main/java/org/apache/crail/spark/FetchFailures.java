/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
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
            case DATANODE_UNREACHABLE, STALE_BLOCK, TIMEOUT -> DATANODE_AWAY;
            case NAMENODE_UNREACHABLE, NAMENODE_BUSY, SESSION_LOST -> NAMENODE_AWAY;
            default -> OTHER;
        };
    }

    /** What it is where the range has been tried for long enough. */
    FetchFailures inTheEnd() {
        return switch (this) {
            case LOST, DATANODE_AWAY -> LOST;
            case NAMENODE_AWAY, OTHER -> OTHER;
        };
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
