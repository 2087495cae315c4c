/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.crail.error.ErrorCode;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Values of broadcasts as bytes: by Spark's serializer, compressed as Spark's settings say. Stateless. */
final class BroadcastBytes {
    /** Larger ones spread better from executor to executor. */
    static final int MOST_BYTES = 256 << 20;

    private BroadcastBytes() {}

    /** Where the bytes are, and what they are. */
    record Place(String path, int length, int checksum) implements Serializable {}

    @SuppressWarnings("unchecked") // values are of any class
    static <T> ClassTag<T> any() {
        return (ClassTag<T>) ClassTag$.MODULE$.apply(Object.class);
    }

    /**
     * Serializes a value.
     *
     * @throws IOException if it takes more than {@code mostBytes}
     */
    static <T> ByteBuffer of(T value, int mostBytes) throws IOException {
        Bounded bytes = new Bounded(mostBytes);
        try {
            StoreCalls.run("serializing a broadcast", () -> write(value, bytes));
        } catch (IOException | RuntimeException e) {
            if (bytes.isExceeded) { // serializers, which close their buffers, say so in other ways
                throw new IOException(
                        "a broadcast in Crail has at most " + mostBytes + " bytes, serialized and compressed", e);
            }
            throw e;
        }
        return bytes.content();
    }

    private static <T> void write(T value, OutputStream bytes) {
        SerializationStream stream = SparkEnv.get().serializer().newInstance().serializeStream(compressed(bytes));
        try {
            stream.writeObject(value, BroadcastBytes.<T>any());
        } finally {
            stream.close();
        }
    }

    static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        return (int) checksum.getValue();
    }

    /** Fetches a value and checks its bytes. */
    static Object read(Place place) throws IOException {
        SharedStore shared = SharedStore.inUse(SparkEnv.get().conf());
        if (shared == null) {
            throw new IOException("this process has no " + CrailPlugin.class.getName());
        }
        byte[] bytes =
                StoreCalls.await("reading " + place.path(), () -> shared.open().get(place.path()));
        if (bytes == null) {
            throw ErrorCode.NODE_NOT_FOUND.exception(place.path() + " is not there");
        }
        if (bytes.length != place.length() || checksum(ByteBuffer.wrap(bytes)) != place.checksum()) {
            throw new BrokenOutputException(place.path() + " has " + bytes.length + " bytes, which are not the "
                    + place.length() + " that the driver wrote");
        }
        DeserializationStream stream = SparkEnv.get()
                .serializer()
                .newInstance()
                .deserializeStream(decompressed(new ByteArrayInputStream(bytes)));
        try {
            return stream.readObject(any());
        } finally {
            stream.close();
        }
    }

    private static OutputStream compressed(OutputStream out) {
        return isCompressed() ? codec().compressedOutputStream(out) : out;
    }

    private static InputStream decompressed(InputStream in) {
        return isCompressed() ? codec().compressedInputStream(in) : in;
    }

    private static boolean isCompressed() {
        return conf().getBoolean("spark.broadcast.compress", true);
    }

    private static CompressionCodec codec() {
        return CompressionCodec$.MODULE$.createCodec(conf());
    }

    private static SparkConf conf() {
        return SparkEnv.get().conf();
    }

    private static final class Bounded extends ByteArrayOutputStream {
        private final int mostBytes;
        private boolean isExceeded;

        Bounded(int mostBytes) {
            this.mostBytes = mostBytes;
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            check(length);
            super.write(bytes, offset, length);
        }

        @Override
        public synchronized void write(int value) {
            check(1);
            super.write(value);
        }

        private void check(int more) {
            if (more > mostBytes - count) {
                isExceeded = true;
                throw Unchecked.unchecked(new IOException("there are more than " + mostBytes + " bytes"));
            }
        }

        ByteBuffer content() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }
}
