/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The records of a map task, serialized, each in its partition. Used by one task. */
interface MapRecords {
    ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

    /** Adds a record. */
    void add(int partition, Object key, Object value) throws IOException;

    /** To be called once, behind the last record and before any is given. */
    void finish();

    /** Gives a partition that has records, as a reader is to have it; {@code target} may be closed. */
    void writeTo(int partition, OutputStream target) throws IOException;

    /** Closes what a task that has failed has open; may be called again, and behind {@link #finish}. */
    void discard();

    /** Compresses or encrypts what is written to a partition. */
    interface Encoder {
        OutputStream wrap(int partition, OutputStream target);
    }

    /** Writes a record as Spark's own writers do. */
    static void write(SerializationStream stream, Object key, Object value) {
        stream.writeKey(key, ANY);
        stream.writeValue(value, ANY);
    }
}
