/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.util.Iterator;
import org.apache.crail.conf.ConfigCatalog;
import org.apache.crail.conf.ConfigKey;

/** The names of all configuration keys, for completion. Immutable. */
final class KeyNames implements Iterable<String> {
    /** For the parser. */
    KeyNames() {}

    @Override
    public Iterator<String> iterator() {
        return ConfigCatalog.load().keys().stream().<String>map(ConfigKey::name).iterator();
    }
}
