/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spi;

import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;

/**
 * Opens stores; found through {@link java.util.ServiceLoader}. Implementations have a public constructor without
 * parameters and are thread safe.
 */
public interface CrailStoreProvider {
    /**
     * Opens a store that runs with {@code conf}, which has been validated.
     *
     * @throws Exception if it cannot be opened; nothing is left open then
     */
    CrailStore open(CrailConfiguration conf) throws Exception;
}
