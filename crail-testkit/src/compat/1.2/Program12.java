/* SPDX-License-Identifier: Apache-2.0 */

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailMultiFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;

/**
 * A program in the style of Crail 1.2: static factories for its configuration. Compiled against Crail 1.2, run on this
 * release.
 */
public class Program12 {
    public static void main(String[] args) throws Exception {
        CrailConfiguration conf = CrailConfiguration.createConfigurationFromFile();
        conf.set("crail.singleton", "false");
        CrailStore store = CrailStore.newInstance(conf);
        create(store, "/old12", CrailNodeType.TABLE).get().syncDir();
        CrailKeyValue value = create(store, "/old12/key", CrailNodeType.KEYVALUE).get().asKeyValue();
        CrailBuffer buffer = store.allocateBuffer();
        buffer.putLong(12).putDouble(1.5).flip();
        CrailOutputStream out = value.getDirectOutputStream(0);
        out.write(buffer).get();
        out.sync().get();
        out.close();
        buffer.clear();
        CrailInputStream in = store.lookup("/old12/key").get().asKeyValue().getDirectInputStream(0);
        Future<CrailResult> read = in.read(buffer);
        check(read.get().getLen() == 16, "length of the value");
        check(in.read(store.allocateBuffer()) == null, "null at the end");
        in.close();
        buffer.flip();
        check(buffer.getLong() == 12 && buffer.getDouble() == 1.5, "content of the value");
        store.freeBuffer(buffer);

        create(store, "/bag12", CrailNodeType.MULTIFILE).get().syncDir();
        Upcoming<CrailNode> creation = create(store, "/bag12/part", CrailNodeType.DATAFILE);
        CrailFile part = creation.early().asFile();
        part.getBufferedOutputStream(0).close();
        CrailMultiFile bag = store.lookup("/bag12").get().asMultiFile();
        CrailBufferedInputStream all = bag.getMultiStream(2);
        check(all.read() == -1, "an empty bag ends at once");
        all.close();
        CrailBlockLocation[] locations = store.lookup("/old12/key").get().getBlockLocations(0, 16);
        check(locations.length == 1 && locations[0].getLength() == 16, "block locations");
        try {
            create(store, "/missing/key", CrailNodeType.DATAFILE).get();
            check(false, "creation without a parent");
        } catch (ExecutionException e) {
            check(e.getCause() instanceof java.io.IOException, "failures are IOExceptions");
        }
        store.getStatistics().print("compat");
        store.delete("/old12", true).get().syncDir();
        store.delete("/bag12", true).get().syncDir();
        store.close();
        System.out.println("compatible with 1.2");
    }

    private static Upcoming<CrailNode> create(CrailStore store, String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true);
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
