/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

/** What {@link SocketComparison} measures. Constants only. */
enum Metric {
    RAW_P50("raw 64-byte round trip, p50", "us"),
    LOOKUP_P50("synchronous lookup, p50", "us", RAW_P50, "ratio <= 2.5"),
    RAW_P99("raw 64-byte round trip, p99", "us"),
    LOOKUP_P99("synchronous lookup, p99", "us", RAW_P99, ""),
    RAW_READ("raw socket, server to client", "MiB/s"),
    READ("1 MiB reads, pipelined", "MiB/s", RAW_READ, "ratio >= 0.70"),
    READ_ONE("1 MiB reads, one at a time", "MiB/s", RAW_READ, "ratio >= 0.70"),
    RAW_STORED_READ("raw socket, stored bytes, server to client", "MiB/s", RAW_READ, ""),
    RAW_REQUEST("raw socket, 1 MiB requested at a time", "MiB/s", RAW_READ, ""),
    RAW_WRITE("raw socket, client to server", "MiB/s"),
    WRITE("1 MiB writes, pipelined", "MiB/s", RAW_WRITE, "ratio >= 0.70"),
    WRITE_ONE("1 MiB writes, one at a time", "MiB/s", RAW_WRITE, "ratio >= 0.70"),
    RAW_STORED_WRITE("raw socket, bytes stored, client to server", "MiB/s", RAW_WRITE, ""),
    RAW_DELIVER("raw socket, 1 MiB acknowledged at a time", "MiB/s", RAW_WRITE, ""),
    RAW_COPY_OUT("memory copy, out of a mapped file", "MiB/s"),
    MAPPED_READ("1 MiB reads, mapped, one at a time", "MiB/s", RAW_COPY_OUT, "ratio >= 0.80"),
    RAW_COPY_IN("memory copy, into a mapped file", "MiB/s"),
    MAPPED_WRITE("1 MiB writes, mapped, one at a time", "MiB/s", RAW_COPY_IN, "ratio >= 0.80"),
    LOOKUPS("pipelined lookups", "1/s", null, ">= 150,000"),
    CREATES("pipelined creates, not enumerable", "1/s", null, ">= 100,000"),
    CREATES_ENUMERABLE("pipelined creates, enumerable", "1/s", CREATES, ""),
    THREADS_8("lookups of 8 threads", "1/s"),
    THREADS_64("lookups of 64 threads", "1/s", THREADS_8, "ratio >= 1");

    private final String label;
    private final String unit;
    private final Metric base;
    private final String target;

    Metric(String label, String unit) {
        this(label, unit, null, "");
    }

    Metric(String label, String unit, Metric base, String target) {
        this.label = label;
        this.unit = unit;
        this.base = base;
        this.target = target;
    }

    /** What it is, for people. */
    String label() {
        return label;
    }

    /** The unit of its figures. */
    String unit() {
        return unit;
    }

    /** What it is divided by, round by round, or null. */
    Metric base() {
        return base;
    }

    /** What it should reach, for people; may be empty. */
    String target() {
        return target;
    }
}
