/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.error;

import java.io.IOException;
import java.util.List;

/**
 * What every failure of the store is. There is one subclass per {@link ErrorCode}, so that callers can catch what they
 * can handle and treat the rest as an {@link IOException}.
 */
public abstract class CrailException extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private transient CrailException former; // null unless this repeats it
    private transient String brief;

    CrailException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The code that this exception has on the wire and in the documentation. */
    public final ErrorCode code() {
        return code;
    }

    /**
     * The same failure for one more caller: with the stack of that one, and a message of its own. It has the same cause
     * and is not itself one, so that a trace tells each thing once.
     */
    public final CrailException again(String message) {
        return code.exception(message, getCause());
    }

    /**
     * As {@link #again}, for a later call that fails because this one was thrown. While it is suppressed in this one,
     * as by try-with-resources, its message is the brief one, so that a trace tells each thing once.
     */
    public final CrailException repeated(String message, String briefMessage) {
        CrailException later = again(message);
        later.former = this;
        later.brief = briefMessage;
        return later;
    }

    @Override
    public final String getMessage() {
        boolean isBelow = former != null && List.of(former.getSuppressed()).contains(this);
        return isBelow ? brief : super.getMessage();
    }
}
