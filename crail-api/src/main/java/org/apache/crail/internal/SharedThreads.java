/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.Optional;
import org.apache.crail.error.CrailException;

/**
 * Threads that the parts of a store share. A part that has some gives them to another one that asks for their kind, so
 * that neither has to know the other. Thread safe.
 */
public interface SharedThreads {
    /** Has none. */
    SharedThreads NONE = new SharedThreads() {};

    /**
     * The threads of a kind; nothing if there are none. They stay with the part that has them, and end with it.
     *
     * @param kind the class of what runs on them
     * @throws CrailException if they cannot be made, or have ended
     */
    default <T> Optional<T> threads(Class<T> kind) throws CrailException {
        return Optional.empty();
    }
}
