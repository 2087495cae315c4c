/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Bounds what others, or a failure that stays, can make a server write to its log: so many lines in a period, whoever
 * causes them, and no text of their choice that is long or looks like lines of its own. All methods are thread safe.
 */
public final class PeerLog {
    private static final int LINES = 20;
    private static final long PERIOD_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_CHARS = 300;

    private final Logger log;
    private long periodBeginNs = Surroundings.nanoTime();
    private int lines;
    private long leftOut;

    /** Makes a limit of its own for what goes to this log. */
    public PeerLog(Logger log) {
        this.log = log;
    }

    /** Writes a warning, if there have not been too many; arguments are {@link #printable cut and escaped}. */
    public void warn(String format, Object... arguments) {
        if (admits()) {
            log.warn(format, printable(arguments));
        }
    }

    /** Writes an error with its cause, if there have not been too many; the argument is cut and escaped. */
    public void error(String format, Object argument, Throwable cause) {
        if (admits()) {
            log.error(format, printable(String.valueOf(argument)), cause);
        }
    }

    /** Whether one more line may be written now; says in the log how many were left out before. */
    synchronized boolean admits() {
        long nowNs = Surroundings.nanoTime();
        if (nowNs - periodBeginNs >= PERIOD_NS) {
            if (leftOut > 0) {
                log.warn("{} more lines like those before were left out", leftOut);
            }
            periodBeginNs = nowNs;
            lines = 0;
            leftOut = 0;
        }
        if (lines < LINES) {
            lines++;
            return true;
        }
        leftOut++;
        return false;
    }

    private static Object[] printable(Object[] arguments) {
        Object[] all = new Object[arguments.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = arguments[i] instanceof Number ? arguments[i] : printable(String.valueOf(arguments[i]));
        }
        return all;
    }

    /** Text of somebody else on one line: cut where it is long, with '?' for what is no visible character. */
    public static String printable(String text) {
        int length = Math.min(text.length(), MAX_CHARS);
        StringBuilder line = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char each = text.charAt(i);
            line.append(isVisible(each) ? each : '?');
        }
        return text.length() > length ? line + "... (" + text.length() + " characters)" : line.toString();
    }

    private static boolean isVisible(char each) {
        int type = Character.getType(each);
        return !Character.isISOControl(each)
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR
                && type != Character.FORMAT;
    }
}
