/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.crail.error.InvalidPathException;

/**
 * A valid, normalised path of a node: real UTF-8 names, compared byte by byte. A leading or trailing '/' and empty
 * components carry no meaning, so {@code "a/b"}, {@code "/a/b"} and {@code "/a//b/"} are equal. A component has 1 to
 * {@value #MAX_COMPONENT_BYTES} bytes, the whole path at most {@value #MAX_PATH_BYTES}; "." and ".." are refused.
 * Immutable.
 */
public final class CrailPath {
    /** The longest component, in bytes of UTF-8. */
    public static final int MAX_COMPONENT_BYTES = 255;

    /** The longest path, in bytes of UTF-8, each component counted with its '/'. */
    public static final int MAX_PATH_BYTES = 1023;

    /** The path of the root, which has no component. */
    public static final CrailPath ROOT = new CrailPath(new byte[0], new short[0]);

    /** Each component preceded by '/'; empty for the root. */
    private final byte[] utf8;

    /** Where each component ends in {@link #utf8}; it begins one byte after the previous end. */
    private final short[] ends;

    private CrailPath(byte[] utf8, short[] ends) {
        this.utf8 = utf8;
        this.ends = ends;
    }

    /** Parses what a user wrote. */
    public static CrailPath parse(String path) throws InvalidPathException {
        if (path == null) {
            throw new InvalidPathException("path is null; a path looks like /a/b");
        }
        byte[] utf8 = path.getBytes(StandardCharsets.UTF_8);
        for (byte each : utf8) {
            if (each == '?') { // or what stands for half a surrogate pair
                checkSurrogates(path);
                break;
            }
        }
        return ofUtf8(utf8);
    }

    private static void checkSurrogates(String path) throws InvalidPathException {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            throw new InvalidPathException("path " + path + " holds half a surrogate pair, which UTF-8 cannot carry");
        }
    }

    /** Parses the bytes that a peer sent; the array belongs to the path afterwards. */
    public static CrailPath ofUtf8(byte[] raw) throws InvalidPathException {
        checkUtf8(raw);
        byte[] utf8 = normal(raw);
        if (utf8.length == 0) {
            return ROOT;
        }
        short[] ends = new short[componentsIn(utf8)];
        int start = 1;
        for (int i = 0; i < ends.length; i++) {
            int end = start;
            while (end < utf8.length && utf8[end] != '/') {
                end++;
            }
            int size = end - start;
            if (size > MAX_COMPONENT_BYTES || end > MAX_PATH_BYTES) {
                throw tooLong(raw, size);
            }
            checkNotDots(raw, utf8, start, size);
            ends[i] = (short) end;
            start = end + 1;
        }
        return new CrailPath(utf8, ends);
    }

    private static int componentsIn(byte[] normal) {
        int count = 0;
        for (byte each : normal) {
            if (each == '/') {
                count++;
            }
        }
        return count;
    }

    /**
     * The same path with each component preceded by one '/'; what has come from a peer is so already, and is not
     * copied.
     */
    private static byte[] normal(byte[] raw) {
        boolean isNormal = raw.length > 0 && raw[0] == '/' && raw[raw.length - 1] != '/';
        for (int i = 1; isNormal && i < raw.length; i++) {
            isNormal = raw[i] != '/' || raw[i - 1] != '/';
        }
        if (isNormal) {
            return raw;
        }
        byte[] normal = new byte[raw.length + 1];
        int length = 0;
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] != '/') {
                if (i == 0 || raw[i - 1] == '/') {
                    normal[length++] = '/';
                }
                normal[length++] = raw[i];
            }
        }
        return Arrays.copyOf(normal, length);
    }

    /** Decodes nothing where all is ASCII, so that the usual path costs no memory. */
    private static void checkUtf8(byte[] raw) throws InvalidPathException {
        int i = 0;
        while (i < raw.length && raw[i] >= 0) {
            i++;
        }
        if (i == raw.length) {
            return;
        }
        try {
            CharBuffer ignored = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw));
        } catch (CharacterCodingException e) {
            throw new InvalidPathException("path " + abbreviate(raw) + " holds bytes that are no UTF-8", e);
        }
    }

    private static InvalidPathException tooLong(byte[] raw, int size) {
        String what = size > MAX_COMPONENT_BYTES
                ? "a component of " + size + " bytes; at most " + MAX_COMPONENT_BYTES
                : "more than the " + MAX_PATH_BYTES + " bytes that";
        return new InvalidPathException(
                "path " + abbreviate(raw) + " has " + what + " are allowed; a path looks like /a/b");
    }

    private static void checkNotDots(byte[] raw, byte[] utf8, int from, int size) throws InvalidPathException {
        boolean dots = size <= 2 && utf8[from] == '.' && utf8[from + size - 1] == '.';
        if (dots) {
            throw new InvalidPathException("path " + abbreviate(raw) + " holds the component \"" + ".".repeat(size)
                    + "\"; a path looks like /a/b, without . and ..");
        }
    }

    private static String abbreviate(byte[] raw) {
        String text = new String(raw, 0, Math.min(raw.length, 80), StandardCharsets.UTF_8);
        return raw.length > 80 ? text + "..." : text;
    }

    /** The number of components; 0 for the root. */
    public int depth() {
        return ends.length;
    }

    public boolean isRoot() {
        return ends.length == 0;
    }

    /** Where component {@code index} begins in {@link #utf8()}. */
    public int componentStart(int index) {
        return index == 0 ? 1 : ends[index - 1] + 1;
    }

    /** Where component {@code index} ends in {@link #utf8()}, exclusive. */
    public int componentEnd(int index) {
        return ends[index];
    }

    /** A copy of the bytes of component {@code index}. */
    public byte[] component(int index) {
        return Arrays.copyOfRange(utf8, componentStart(index), componentEnd(index));
    }

    /** The last component as text; empty for the root. */
    public String name() {
        return isRoot() ? "" : new String(component(ends.length - 1), StandardCharsets.UTF_8);
    }

    /** The components as text, first to last. */
    public List<String> components() {
        List<String> names = new ArrayList<>(ends.length);
        for (int i = 0; i < ends.length; i++) {
            names.add(new String(component(i), StandardCharsets.UTF_8));
        }
        return names;
    }

    /** The path without its last component; the root is its own parent. */
    public CrailPath parent() {
        if (ends.length <= 1) {
            return ROOT;
        }
        int last = ends.length - 1;
        return new CrailPath(Arrays.copyOf(utf8, ends[last - 1]), Arrays.copyOf(ends, last));
    }

    /** The path of the child {@code name}, which is one component. */
    public CrailPath child(String name) throws InvalidPathException {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new InvalidPathException(
                    "\"" + name + "\" is no name of a node; a name is not empty and holds no '/'");
        }
        return parse(this + "/" + name);
    }

    /** Whether this path lies below {@code other}, at any depth; a path does not lie below itself. */
    public boolean isBelow(CrailPath other) {
        return utf8.length > other.utf8.length
                && utf8[other.utf8.length] == '/'
                && Arrays.equals(utf8, 0, other.utf8.length, other.utf8, 0, other.utf8.length);
    }

    /**
     * The bytes that travel: each component preceded by '/', nothing for the root. Shared; callers must not change it.
     */
    public byte[] utf8() {
        return utf8;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CrailPath that && Arrays.equals(utf8, that.utf8);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }

    /** The path as users write it, beginning with '/'. */
    @Override
    public String toString() {
        return isRoot() ? "/" : new String(utf8, StandardCharsets.UTF_8);
    }
}
