/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.net.URI;
import java.util.List;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidPathException;

/**
 * Paths of the store as users write them: {@code /a/b} or {@code crail://host:port/a/b}. All methods are thread safe.
 */
final class RemotePath {
    private static final String SCHEME = "crail://";

    private RemotePath() {}

    static CrailPath parse(String text, CrailConfiguration conf) throws CrailException {
        if (!text.startsWith(SCHEME)) {
            return CrailPath.parse(text);
        }
        int slash = text.indexOf('/', SCHEME.length());
        String authority = text.substring(SCHEME.length(), slash < 0 ? text.length() : slash);
        List<URI> namenodes = conf.get(CrailKeys.NAMENODE_ADDRESS);
        if (!authority.isEmpty() && namenodes.stream().noneMatch(uri -> authority.equals(uri.getAuthority()))) {
            throw new InvalidPathException("path " + text + " names the namenode " + authority
                    + ", but crail.namenode.address is " + CrailKeys.NAMENODE_ADDRESS.format(namenodes)
                    + "; leave the namenode out, or add -D crail.namenode.address=crail://" + authority);
        }
        return CrailPath.parse(slash < 0 ? "/" : text.substring(slash));
    }
}
