/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

import org.apache.crail.error.InvalidRequestException;

/** What a move does when its destination is taken. Immutable. */
public enum MoveMode {
    /** A directory takes the node in under its own name; all else is refused. */
    INTO(0),

    /** Refused: the node is to have exactly the destination as its path. */
    EXACT(1),

    /** A node of the same type is replaced in the same step, a container only if it is empty. */
    REPLACE(2);

    private static final MoveMode[] BY_NUMBER = values();

    private final int number;

    MoveMode(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /**
     * Returns the mode with a number on the wire.
     *
     * @throws InvalidRequestException if there is none
     */
    public static MoveMode ofNumber(int number) throws InvalidRequestException {
        if (number < 0 || number >= BY_NUMBER.length) {
            throw new InvalidRequestException(
                    "move mode " + number + " does not exist; this release knows 0 to " + (BY_NUMBER.length - 1));
        }
        return BY_NUMBER[number];
    }
}
