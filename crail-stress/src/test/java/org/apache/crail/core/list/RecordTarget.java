/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.crail.CrailPath;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.fuzz.Given;
import org.apache.crail.fuzz.Limits;

/** A page of directory records: anything at all, and the record of a name. Stateless. */
public final class RecordTarget {
    private static final int SIZE = 512;

    private RecordTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> {
            ByteBuffer page = ByteBuffer.allocateDirect(Math.max(1, (input.length + SIZE - 1) / SIZE) * SIZE);
            page.put(0, input);
            for (int start = 0; start < page.capacity(); start += SIZE) {
                check(ChildRecord.decode(page, start, SIZE, "/"));
            }
            take(new Given(input));
        });
    }

    private static void take(Given input) {
        long fd = input.longInteger();
        long parent = input.longInteger();
        String name = new String(input.rest(), StandardCharsets.UTF_8);
        try {
            CrailPath.ROOT.child(name);
        } catch (InvalidPathException e) {
            return; // no node has this name
        }
        check(new ChildRecord("/", name, fd, parent, false));
    }

    private static void check(ChildRecord record) {
        if (record == null) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(SIZE);
        record.encode(bytes);
        ChildRecord again = ChildRecord.decode(bytes, 0, SIZE, "/");
        ByteBuffer same = ByteBuffer.allocate(SIZE);
        again.encode(same);
        if (!same.flip().equals(bytes.flip()) || !again.path().equals(record.path())) {
            throw new AssertionError(record + " became " + again);
        }
    }
}
