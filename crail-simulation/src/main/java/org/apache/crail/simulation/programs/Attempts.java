/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.io.UncheckedIOException;
import java.util.concurrent.ExecutionException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;

/** What a program does and may fail: tells the history, and whether failures are typed. Confined to one program. */
final class Attempts {
    private final History history;
    private String doing = "starting";

    Attempts(History history) {
        this.history = history;
    }

    /** Something that may fail. */
    interface Action {
        void run() throws Exception;
    }

    /** What the program does now. */
    String doing() {
        return doing;
    }

    /** Does something; answers its typed failure, null if it succeeded. */
    CrailException attempt(String what, Action action) {
        doing = what;
        history.add(what);
        try {
            action.run();
            return null;
        } catch (CrailException e) {
            return failed(what, e);
        } catch (ExecutionException e) {
            return e.getCause() instanceof CrailException typed ? failed(what, typed) : untyped(what, e.getCause());
        } catch (UncheckedIOException e) {
            return e.getCause() instanceof CrailException typed ? failed(what, typed) : untyped(what, e);
        } catch (Exception e) {
            return untyped(what, e);
        } finally {
            doing = "thinking after " + what;
        }
    }

    private CrailException failed(String what, CrailException failure) {
        history.add("  " + what + " failed: " + failure.code() + " " + failure.getMessage());
        if (failure.code() == ErrorCode.INTERNAL) {
            history.broken(Promise.TYPED, what + ": " + failure);
        }
        return failure;
    }

    private CrailException untyped(String what, Throwable failure) {
        history.broken(Promise.TYPED, what + " failed with " + failure);
        return ErrorCode.INTERNAL.exception(String.valueOf(failure));
    }

    /** Whether an operation that failed so may have been done, or may yet be. */
    static boolean isInDoubt(CrailException failure) {
        return switch (failure.code()) {
            case TIMEOUT, NAMENODE_UNREACHABLE, SESSION_LOST, CLOSED, INTERNAL -> true;
            default -> false;
        };
    }
}
