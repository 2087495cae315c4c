/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;

/** Keeps the last error that was logged: code that goes on after a failure tells it nowhere else. Thread safe. */
public final class LoggedErrors extends AppenderBase<ILoggingEvent> {
    private static volatile ILoggingEvent last;

    @Override
    protected void append(ILoggingEvent event) {
        last = event;
    }

    static void clear() {
        last = null;
    }

    static void raise() {
        ILoggingEvent logged = last;
        if (logged != null) {
            throw new AssertionError(
                    logged.getLoggerName() + ": " + logged.getFormattedMessage(),
                    logged.getThrowableProxy() instanceof ThrowableProxy cause ? cause.getThrowable() : null);
        }
    }
}
