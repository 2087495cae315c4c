/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one of our systems is to reach.
 *
 * @param reference the system whose figure its own is divided by, or null if the figure itself counts
 * @param bound of the ratio, or of the figure
 * @param atMost whether less is better
 */
public record TargetFigure(String work, String system, String reference, double bound, boolean atMost) {
    private static final String TCP = "crail-tcp";
    private static final String UNIX = "crail-unix";
    private static final String MAPPED = "crail-mapped";
    private static final String HADOOP_TCP = "crail-hadoop-tcp";
    private static final String HADOOP = "crail-hadoop";
    private static final String REDIS = "redis";
    private static final String HDFS = "hdfs";

    static final List<TargetFigure> ALL = Stream.of(
                    Stream.of(
                            atMost("lookup", TCP, "raw-tcp", 1.6),
                            atMost("lookup", UNIX, "raw-unix", 1.6),
                            atLeast("lookup-rate", TCP, "raw-tcp", 0.625), // as of lookup
                            atLeast("lookup-rate", TCP, HDFS, 10),
                            atLeast("lookup-pipelined", TCP, null, 300_000),
                            atLeast("create-pipelined", TCP, null, 200_000),
                            atLeast("create-sync", TCP, HDFS, 20),
                            atLeast("create-sync", MAPPED, HDFS, 20),
                            atLeast("read-1m", TCP, HDFS, 2),
                            atMost("enumerate-2000", TCP, null, 1_000),
                            atLeast("enumerate-100000", TCP, null, 2_000_000)),
                    Stream.of(HADOOP_TCP, HADOOP)
                            .flatMap(system -> Stream.of(
                                    atLeast("read-1m", system, HDFS, 2),
                                    atLeast("write-1m", system, HDFS, 4),
                                    atMost("read-4k-random", system, HDFS, 0.1),
                                    atLeast("lookup-rate", system, HDFS, 10),
                                    atLeast("create-close", system, HDFS, 20),
                                    atLeast("list-status", system, HDFS, 5))),
                    Stream.of("read-1m", "write-1m")
                            .flatMap(work -> Stream.of(
                                    atLeast(work, HADOOP_TCP, TCP, 0.85), atLeast(work, HADOOP, MAPPED, 0.85))),
                    Stream.of("read-1m", "write-1m")
                            .flatMap(work -> Stream.of(
                                    atLeast(work, TCP, "raw-tcp", 0.85),
                                    atLeast(work, TCP, "raw-tcp-stored", 0.85),
                                    atLeast(work, UNIX, "raw-unix", 0.70),
                                    atLeast(work, UNIX, "raw-unix-stored", 0.70),
                                    atLeast(work, MAPPED, "copy", 0.80))),
                    Stream.of("256", "1k")
                            .flatMap(size -> Stream.of(
                                    atMost("get-" + size, MAPPED, REDIS, 1.5),
                                    atMost("get-" + size, TCP, REDIS, 2.5),
                                    atMost("put-" + size, MAPPED, REDIS, 2.5))),
                    Stream.of("get-100k", "put-100k", "get-1m", "put-1m").flatMap(work -> Stream.of(REDIS, "memcached")
                            .flatMap(peer -> Stream.of(atLeast(work, TCP, peer, 1.5), atLeast(work, MAPPED, peer, 3)))),
                    Stream.of("get-256-8-threads", "get-256-64-threads").flatMap(work -> Stream.of(TCP, MAPPED)
                            .flatMap(system -> Stream.of(
                                    atLeast(work, system, REDIS, 1), atLeast(work, system, oneThread(system), 1)))))
            .flatMap(all -> all)
            .toList();

    private static TargetFigure atMost(String work, String system, String reference, double bound) {
        return new TargetFigure(work, system, reference, bound, true);
    }

    private static TargetFigure atLeast(String work, String system, String reference, double bound) {
        return new TargetFigure(work, system, reference, bound, false);
    }

    /** The reference that is the same system with one thread. */
    private static String oneThread(String system) {
        return "get-256-1-thread/" + system;
    }

    /** What is to be reached there, if anything. */
    static Optional<TargetFigure> of(String work, String system, String reference) {
        return ALL.stream()
                .filter(target -> target.work.equals(work) && target.system.equals(system))
                .filter(target -> reference == null ? target.reference == null : reference.equals(target.reference))
                .findFirst();
    }

    /** The references of a system in other work than this, as work/system. */
    static List<String> otherWork(String work, String system) {
        return ALL.stream()
                .filter(target -> target.work.equals(work) && target.system.equals(system))
                .map(TargetFigure::reference)
                .filter(reference -> reference != null && reference.indexOf('/') >= 0)
                .toList();
    }

    /** How far a ratio, or a figure, is beyond the bound: 1 if it just meets it, more if it is better. */
    double factor(double reached) {
        return atMost ? bound / reached : reached / bound;
    }

    @Override
    public String toString() {
        return (atMost ? "<= " : ">= ") + String.format(Locale.ROOT, bound < 100 ? "%.2f" : "%,.0f", bound);
    }
}
