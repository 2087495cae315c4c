/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

/** A child of a directory, as {@link DirectoryInputStream#nextRecord} gives it. Immutable. */
public class DirectoryRecord {
    private final String parent;
    private final String name;

    DirectoryRecord(String parent, String name) {
        this.parent = parent;
        this.name = name;
    }

    /** Always true: no former child is listed. */
    public boolean isValid() {
        return true;
    }

    /** Name of the child. */
    public String getFile() {
        return name;
    }

    /** Path of the container. */
    public String getParent() {
        return parent;
    }

    @Override
    public String toString() {
        return parent.endsWith("/") ? parent + name : parent + "/" + name;
    }
}
