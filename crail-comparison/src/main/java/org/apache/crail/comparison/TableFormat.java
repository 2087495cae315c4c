/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** In which format a table is kept in a file, written and read by that format's own Java library. Thread safe. */
public enum TableFormat {
    /** Parquet with its defaults, but without compression and dictionaries. */
    PARQUET {
        @Override
        public void write(FileSystem files, Path path, int rows) throws IOException {
            ParquetTable.write(files, path, rows);
        }

        @Override
        public double sum(FileSystem files, Path path) throws IOException {
            return ParquetTable.sum(files, path);
        }
    },
    /** Arrow's format for files. */
    ARROW {
        @Override
        public void write(FileSystem files, Path path, int rows) throws IOException {
            ArrowTable.write(files, path, rows);
        }

        @Override
        public double sum(FileSystem files, Path path) throws IOException {
            return ArrowTable.sum(files, path);
        }
    };

    /** Writes a new file with the table of so many rows that all systems have. */
    public abstract void write(FileSystem files, Path path, int rows) throws IOException;

    /** Reads all columns and adds all values up. */
    public abstract double sum(FileSystem files, Path path) throws IOException;
}
