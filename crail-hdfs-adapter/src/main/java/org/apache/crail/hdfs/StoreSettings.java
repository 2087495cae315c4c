/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The configuration of the store behind a file system: what Crail finds by itself, then the {@code crail.*} keys of
 * Hadoop's configuration, then the address in the URI. Stateless.
 */
final class StoreSettings {
    static final String SCHEME = "crail";
    static final int DEFAULT_PORT = 9060;

    /** Size of a block as told to Hadoop, which cuts the work of a job by it; not that of Crail's blocks. */
    static final String BLOCK_SIZE_KEY = "fs.crail.block.size";

    static final long DEFAULT_BLOCK_SIZE = 64L << 20;

    private static final String PREFIX = "crail.";

    private StoreSettings() {}

    static CrailConfiguration of(URI uri, Configuration conf) throws IOException {
        CrailConfiguration settings = CrailConfiguration.createDefaultConfiguration();
        for (Map.Entry<String, String> entry : conf.getPropsWithPrefix(PREFIX).entrySet()) {
            settings.set(PREFIX + entry.getKey(), entry.getValue());
        }
        settings.set(CrailKeys.SINGLETON, false);
        if (uri.getAuthority() != null) {
            settings.set(CrailKeys.NAMENODE_ADDRESS.name(), SCHEME + "://" + authority(uri));
        }
        return settings;
    }

    /** What Hadoop takes a URI for: one without an address for the default file system, if that is one of Crail. */
    static URI addressed(URI uri, Configuration conf) {
        URI usual = FileSystem.getDefaultUri(conf);
        boolean isMeant = uri.getAuthority() == null && SCHEME.equalsIgnoreCase(usual.getScheme());
        return isMeant ? usual : uri;
    }

    /** The same with the port that is meant, if there is an address. */
    static URI withPort(URI uri) throws URISyntaxException {
        return uri.getAuthority() == null
                ? uri
                : new URI(uri.getScheme(), authority(uri), uri.getPath(), uri.getQuery(), uri.getFragment());
    }

    /** Host and port of a URI that has a host. */
    static String authority(URI uri) {
        String authority = uri.getAuthority();
        boolean hasPort = uri.getPort() >= 0 || authority.matches(".*:\\d+");
        return hasPort ? authority : authority + ":" + DEFAULT_PORT;
    }
}
