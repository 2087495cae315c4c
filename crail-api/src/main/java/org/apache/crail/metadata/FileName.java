/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.crail.CrailPath;
import org.apache.crail.error.InvalidPathException;

/**
 * A path as Crail 1.x sent it: one hash per component. For programs that computed hashes; different names may share
 * one, so that nothing here uses them, see {@link CrailPath}. Not thread safe.
 */
public class FileName {
    /** The most components that {@link #write} can hold. */
    private static final int MAX_COMPONENTS = 16;

    /** Bytes that {@link #write} writes. */
    public static int CSIZE = Integer.BYTES * (MAX_COMPONENTS + 1);

    private int[] components = new int[0];

    /** The root. */
    public FileName() {}

    /** A copy. */
    public FileName(FileName other) {
        this.components = other.components;
    }

    /**
     * The hashes of a path's components.
     *
     * @throws InvalidPathException if the path is not valid or has more than 16 components
     */
    public FileName(String path) throws IOException {
        List<String> names = CrailPath.parse(path).components();
        if (names.size() > MAX_COMPONENTS) {
            throw new InvalidPathException("filename with too many tokens: " + path + "; at most " + MAX_COMPONENTS);
        }
        this.components = names.stream().mapToInt(String::hashCode).toArray();
    }

    /** Writes {@link #CSIZE} bytes: the number of components, their hashes, zeros. Returns that number of bytes. */
    public int write(ByteBuffer target) {
        target.putInt(components.length);
        for (int i = 0; i < MAX_COMPONENTS; i++) {
            target.putInt(i < components.length ? components[i] : 0);
        }
        return CSIZE;
    }

    /** Reads what {@link #write} wrote. */
    public void update(ByteBuffer source) {
        int length = source.getInt();
        if (length < 0 || length > MAX_COMPONENTS) {
            throw new IllegalArgumentException("a file name of " + length + " components; 0 to " + MAX_COMPONENTS);
        }
        int[] all = new int[MAX_COMPONENTS];
        for (int i = 0; i < MAX_COMPONENTS; i++) {
            all[i] = source.getInt();
        }
        components = Arrays.copyOf(all, length);
    }

    /** The hash of the last component; 0 for the root. */
    public int getFileComponent() {
        return components.length == 0 ? 0 : components[components.length - 1];
    }

    /** The hash of component {@code index}. */
    public int getComponent(int index) {
        return components[index];
    }

    /** The number of components. */
    public int getLength() {
        return components.length;
    }

    /** As {@link #CSIZE}. */
    public int size() {
        return CSIZE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileName that && Arrays.equals(components, that.components);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(components);
    }

    @Override
    public String toString() {
        return Arrays.toString(components);
    }
}
