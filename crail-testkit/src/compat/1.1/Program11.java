/* SPDX-License-Identifier: Apache-2.0 */

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailDirectory;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.memory.OffHeapBuffer;

/**
 * A program in the style of Crail 1.1: configured by CRAIL_HOME alone. Compiled against Crail 1.1, run on this release.
 */
public class Program11 {
    public static void main(String[] args) throws Exception {
        CrailConfiguration conf = new CrailConfiguration();
        CrailStore store = CrailStore.newInstance(conf);
        check(store.lookup("/old11").get() == null, "lookup of nothing gives null");
        store.create("/old11", CrailNodeType.DIRECTORY, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                .get()
                .syncDir();
        CrailFile file = store.create(
                        "/old11/file",
                        CrailNodeType.DATAFILE,
                        CrailStorageClass.PARENT,
                        CrailLocationClass.PARENT,
                        true)
                .get()
                .asFile();
        CrailBuffer buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(CrailConstants.BUFFER_SIZE));
        CrailOutputStream out = file.getDirectOutputStream(buffer.remaining());
        Future<CrailResult> written = out.write(buffer);
        check(written.get().getLen() == CrailConstants.BUFFER_SIZE, "all bytes written");
        out.close();

        CrailBufferedOutputStream append = file.getBufferedOutputStream(0);
        append.writeInt(4711);
        append.close();

        CrailNode found = store.lookup("/old11/file").get();
        check(found.getCapacity() == CrailConstants.BUFFER_SIZE + 4, "capacity " + found.getCapacity());
        CrailInputStream in = found.asFile().getDirectInputStream(found.getCapacity());
        buffer.clear();
        check(in.read(buffer).get().getLen() == CrailConstants.BUFFER_SIZE, "all bytes read");
        in.close();
        CrailBufferedInputStream tail = found.asFile().getBufferedInputStream(0);
        tail.seek(CrailConstants.BUFFER_SIZE);
        check(tail.readInt() == 4711, "the appended number");
        check(tail.read() == -1, "end of file");
        tail.close();

        CrailDirectory directory = store.lookup("/old11").get().asDirectory();
        Iterator<String> entries = directory.listEntries();
        check(entries.hasNext() && entries.next().equals("/old11/file"), "listing");
        check(store.rename("/old11/file", "/old11/renamed").get() != null, "rename");
        check(store.delete("/old11", true).get() != null, "delete");
        store.close();
        System.out.println("compatible with 1.1");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
