/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;

/** A process that uses a store as many programs do, and ends. Used by one thread. */
public final class FreshClient {
    private static final int ROUNDS = 100;
    private static final byte[] VALUE = "value".getBytes(StandardCharsets.US_ASCII);

    private FreshClient() {}

    /** Puts, gets, creates and lists; fails if not all files are listed. */
    public static void main(String[] args) throws Exception {
        CrailStore store = CrailStore.newInstance(CrailConfiguration.createConfigurationFromFile());
        try {
            CrailBuffer buffer = store.allocateBuffer();
            create(store, "/table", CrailNodeType.TABLE);
            create(store, "/directory", CrailNodeType.DIRECTORY);
            for (int i = 0; i < ROUNDS; i++) {
                CrailKeyValue made =
                        create(store, "/table/" + i, CrailNodeType.KEYVALUE).asKeyValue();
                CrailOutputStream out = made.getDirectOutputStream(VALUE.length);
                out.write(buffer.clear().put(VALUE).flip()).get();
                out.close();
                CrailKeyValue found = store.lookup("/table/" + i).get().asKeyValue();
                CrailInputStream in = found.getDirectInputStream(found.getCapacity());
                in.read(buffer.clear()).get();
                in.close();
                create(store, "/directory/" + i, CrailNodeType.DATAFILE)
                        .asFile()
                        .getDirectOutputStream(0)
                        .close();
            }
            int names = 0;
            Iterator<String> listed =
                    store.lookup("/directory").get().asDirectory().listEntries();
            for (; listed.hasNext(); listed.next()) {
                names++;
            }
            if (names != ROUNDS) {
                throw new IllegalStateException(names + " names are listed of " + ROUNDS);
            }
        } finally {
            store.close();
        }
    }

    private static CrailNode create(CrailStore store, String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                .get();
    }
}
