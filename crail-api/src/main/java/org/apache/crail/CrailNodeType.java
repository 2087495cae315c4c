/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/**
 * The types of nodes. Containers hold other nodes: a directory holds directories, files, multi-files and tables; a
 * multi-file holds files; a table holds key-values. Immutable.
 */
public enum CrailNodeType {
    /** A file: bytes written once from begin to end by one writer. */
    DATAFILE(0),
    /** A directory. */
    DIRECTORY(1),
    /** A bag of files that is read as one stream. */
    MULTIFILE(2),
    /** Reserved since Crail 1.0; no node of this type can be created. */
    STREAMFILE(3),
    /** A table of key-values. */
    TABLE(4),
    /** A value below a table; the last put wins. */
    KEYVALUE(5);

    private static final CrailNodeType[] BY_LABEL = values();

    private final int label;

    CrailNodeType(int label) {
        this.label = label;
    }

    /** The number of this type on the wire. */
    public int getLabel() {
        return label;
    }

    public boolean isDirectory() {
        return this == DIRECTORY;
    }

    public boolean isDataFile() {
        return this == DATAFILE;
    }

    public boolean isMultiFile() {
        return this == MULTIFILE;
    }

    public boolean isStreamFile() {
        return this == STREAMFILE;
    }

    public boolean isTable() {
        return this == TABLE;
    }

    public boolean isKeyValue() {
        return this == KEYVALUE;
    }

    /** Whether nodes of this type hold other nodes. */
    public boolean isContainer() {
        return this == DIRECTORY || this == MULTIFILE || this == TABLE;
    }

    /** Whether a node of this type may hold a child of type {@code child}. */
    public boolean canHold(CrailNodeType child) {
        return switch (this) {
            case DIRECTORY -> child != STREAMFILE;
            case MULTIFILE -> child == DATAFILE || child == DIRECTORY;
            case TABLE -> child == KEYVALUE;
            default -> false;
        };
    }

    /**
     * Returns the type with a label.
     *
     * @throws IllegalArgumentException if no type has it
     */
    public static CrailNodeType parse(int label) {
        if (label < 0 || label >= BY_LABEL.length) {
            throw new IllegalArgumentException("node type " + label + " does not exist; labels run from 0 to 5");
        }
        return BY_LABEL[label];
    }
}
