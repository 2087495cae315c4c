/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import org.apache.crail.core.list.ChildRecord;

/** A record of a directory, as {@link DirectoryInputStream#nextRecord} gives it. Immutable. */
public class DirectoryRecord {
    private final ChildRecord record;

    DirectoryRecord(ChildRecord record) {
        this.record = record;
    }

    /** Whether listing the container shows the child. */
    public boolean isValid() {
        return record.isValid();
    }

    /** Name of the child. */
    public String getFile() {
        return record.name();
    }

    /** Path of the container. */
    public String getParent() {
        return record.parent();
    }

    @Override
    public String toString() {
        return record.toString();
    }
}
