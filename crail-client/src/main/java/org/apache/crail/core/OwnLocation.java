/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.net.UnknownHostException;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.utils.CrailUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The location class of this host, which the name service tells at first use. Thread safe. */
final class OwnLocation {
    private static final Logger LOG = LoggerFactory.getLogger(OwnLocation.class);

    private volatile CrailLocationClass known;

    CrailLocationClass get() {
        CrailLocationClass found = known;
        if (found == null) {
            found = find();
            known = found;
        }
        return found;
    }

    private static CrailLocationClass find() {
        try {
            return CrailUtils.getLocationClass();
        } catch (UnknownHostException e) {
            LOG.warn("this host does not know its own address; it has no location class", e);
            return CrailLocationClass.DEFAULT;
        }
    }
}
