/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.model;

/** What one writer wrote to one node. The bytes follow from its number and their offsets. Not thread safe. */
public final class Session {
    final int number;
    final long from;
    final long openedNs;
    long possibleEnd;
    long certainEnd;

    Session(int number, long from, long openedNs) {
        this.number = number;
        this.from = from;
        this.openedNs = openedNs;
        this.possibleEnd = from;
        this.certainEnd = from;
    }

    /** The byte that this session writes at an offset. */
    byte byteAt(long offset) {
        long word = (number + 1) * 0x9E3779B97F4A7C15L + (offset >>> 3) * 0xC2B2AE3D27D4EB4FL;
        word = (word ^ (word >>> 29)) * 0xBF58476D1CE4E5B9L;
        return (byte) (word >>> ((offset & 7) * 8 ^ 5));
    }

    /** The bytes of a range. */
    public byte[] bytes(long offset, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = byteAt(offset + i);
        }
        return bytes;
    }

    /** A write up to there has begun. */
    public void writing(long end) {
        possibleEnd = Math.max(possibleEnd, end);
    }

    /** All up to there has been acknowledged. */
    public void acknowledged(long end) {
        certainEnd = Math.max(certainEnd, end);
    }

    boolean mayHold(long offset) {
        return offset >= from && offset < possibleEnd;
    }

    @Override
    public String toString() {
        return "w" + number + "[" + from + ".." + certainEnd + ".." + possibleEnd + "]";
    }
}
