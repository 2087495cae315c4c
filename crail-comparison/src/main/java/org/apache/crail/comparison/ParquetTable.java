/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/** A {@link NumberTable} in a file of Parquet. Stateless. */
final class ParquetTable {
    private static final MessageType SCHEMA = schema();

    private ParquetTable() {}

    private static MessageType schema() {
        Types.MessageTypeBuilder builder = Types.buildMessage();
        for (int column = 0; column < NumberTable.COLUMNS; column++) {
            builder.required(type(column)).named(NumberTable.name(column));
        }
        return builder.named("numbers");
    }

    private static PrimitiveTypeName type(int column) {
        if (NumberTable.isInt(column)) {
            return PrimitiveTypeName.INT32;
        }
        return NumberTable.isLong(column) ? PrimitiveTypeName.INT64 : PrimitiveTypeName.DOUBLE;
    }

    static void write(FileSystem files, Path path, int rows) throws IOException {
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new Output(files, path))
                .withType(SCHEMA)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .withDictionaryEncoding(false)
                .build()) {
            for (int row = 0; row < rows; row++) {
                writer.write(group(row));
            }
        }
    }

    private static Group group(int row) {
        Group group = new SimpleGroup(SCHEMA);
        for (int column = 0; column < NumberTable.COLUMNS; column++) {
            int value = NumberTable.value(row, column);
            if (NumberTable.isInt(column)) {
                group.add(column, value);
            } else if (NumberTable.isLong(column)) {
                group.add(column, (long) value);
            } else {
                group.add(column, (double) value);
            }
        }
        return group;
    }

    static double sum(FileSystem files, Path path) throws IOException {
        double sum = 0;
        try (ParquetFileReader reader = ParquetFileReader.open(new Input(files, path))) {
            FileMetaData metadata = reader.getFooter().getFileMetaData();
            PageReadStore pages = reader.readNextRowGroup();
            while (pages != null) {
                ColumnReadStoreImpl columns = new ColumnReadStoreImpl(
                        pages,
                        new GroupRecordConverter(metadata.getSchema()).getRootConverter(),
                        metadata.getSchema(),
                        metadata.getCreatedBy());
                for (ColumnDescriptor column : metadata.getSchema().getColumns()) {
                    sum += sum(column, columns.getColumnReader(column), pages.getRowCount());
                }
                pages = reader.readNextRowGroup();
            }
        }
        return sum;
    }

    private static double sum(ColumnDescriptor column, ColumnReader values, long rows) {
        PrimitiveTypeName type = column.getPrimitiveType().getPrimitiveTypeName();
        double sum = 0;
        for (long row = 0; row < rows; row++) {
            sum += switch (type) {
                case INT32 -> values.getInteger();
                case INT64 -> values.getLong();
                default -> values.getDouble();
            };
            values.consume();
        }
        return sum;
    }

    /** A file as Parquet reads it. */
    private record Input(FileSystem files, Path path) implements InputFile {
        @Override
        public long getLength() throws IOException {
            return files.getFileStatus(path).getLen();
        }

        @Override
        public SeekableInputStream newStream() throws IOException {
            return HadoopStreams.wrap(files.open(path));
        }
    }

    /** A file as Parquet writes it. */
    private record Output(FileSystem files, Path path) implements OutputFile {
        @Override
        public PositionOutputStream create(long blockSizeHint) throws IOException {
            return HadoopStreams.wrap(files.create(path, false));
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
            return HadoopStreams.wrap(files.create(path, true));
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return 0;
        }
    }
}
