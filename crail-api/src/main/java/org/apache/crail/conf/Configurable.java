/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import org.slf4j.Logger;

/**
 * A part that is set up from a configuration before its first use, as tiers and RPC bindings of Crail 1.x were. Here
 * for programs that name the type; nothing of this release implements it. Initialised once, by one thread.
 */
public interface Configurable {
    /**
     * Sets the part up.
     *
     * @param conf what it runs with
     * @param args command-line arguments meant for this part; may be null
     * @throws Exception if a value or an argument is wrong; the message names it
     */
    void init(CrailConfiguration conf, String[] args) throws Exception;

    /** Writes the settings that this part runs with, one per line, to {@code log}. */
    void printConf(Logger log);
}
