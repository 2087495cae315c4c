/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.List;
import org.apache.crail.error.ConfigurationException;

/**
 * The configuration keys of one module, found through {@link java.util.ServiceLoader}. A module that reads a key
 * declares it in an implementation of this interface, so that it is validated, documented and listed in the template
 * file. Implementations have a public constructor without parameters and are immutable.
 */
public interface ConfigKeys {
    /** The module's keys, in the order in which they are documented. */
    List<ConfigKey<?>> keys();

    /**
     * Checks what no single key can: that values fit each other. Called by {@link CrailConfiguration#validate()} after
     * every single value has been found valid.
     *
     * @throws ConfigurationException naming the keys, their values and what would be right
     */
    default void verify(CrailConfiguration conf) throws ConfigurationException {}
}
