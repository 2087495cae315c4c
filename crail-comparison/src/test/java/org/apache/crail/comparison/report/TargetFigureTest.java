/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class TargetFigureTest {
    /** Work, system, the system that it is held against, bound. Whoever changes a target has to say so here. */
    private static final String ALL =
            """
            lookup              crail-tcp         raw-tcp                        <= 1.6
            lookup              crail-unix        raw-unix                       <= 1.6
            lookup-rate         crail-tcp         raw-tcp                        >= 0.625
            lookup-rate         crail-tcp         hdfs                           >= 10
            lookup-rate         crail-hadoop-tcp  hdfs                           >= 10
            lookup-rate         crail-hadoop      hdfs                           >= 10
            lookup-pipelined    crail-tcp         -                              >= 300000
            create-pipelined    crail-tcp         -                              >= 200000
            create-close        crail-hadoop-tcp  hdfs                           >= 20
            create-close        crail-hadoop      hdfs                           >= 20
            create-sync         crail-tcp         hdfs                           >= 20
            create-sync         crail-mapped      hdfs                           >= 20
            enumerate-2000      crail-tcp         -                              <= 1000
            enumerate-100000    crail-tcp         -                              >= 2000000
            list-status         crail-hadoop-tcp  hdfs                           >= 5
            list-status         crail-hadoop      hdfs                           >= 5
            read-1m             crail-tcp         raw-tcp                        >= 0.85
            read-1m             crail-tcp         raw-tcp-stored                 >= 0.85
            read-1m             crail-tcp         hdfs                           >= 2
            read-1m             crail-unix        raw-unix                       >= 0.7
            read-1m             crail-unix        raw-unix-stored                >= 0.7
            read-1m             crail-mapped      copy                           >= 0.8
            read-1m             crail-hadoop-tcp  crail-tcp                      >= 0.85
            read-1m             crail-hadoop-tcp  hdfs                           >= 2
            read-1m             crail-hadoop      crail-mapped                   >= 0.85
            read-1m             crail-hadoop      hdfs                           >= 2
            read-4k-random      crail-hadoop-tcp  hdfs                           <= 0.1
            read-4k-random      crail-hadoop      hdfs                           <= 0.1
            write-1m            crail-tcp         raw-tcp                        >= 0.85
            write-1m            crail-tcp         raw-tcp-stored                 >= 0.85
            write-1m            crail-unix        raw-unix                       >= 0.7
            write-1m            crail-unix        raw-unix-stored                >= 0.7
            write-1m            crail-mapped      copy                           >= 0.8
            write-1m            crail-hadoop-tcp  crail-tcp                      >= 0.85
            write-1m            crail-hadoop-tcp  hdfs                           >= 4
            write-1m            crail-hadoop      crail-mapped                   >= 0.85
            write-1m            crail-hadoop      hdfs                           >= 4
            get-256             crail-tcp         redis                          <= 2.5
            get-256             crail-mapped      redis                          <= 1.5
            put-256             crail-mapped      redis                          <= 2.5
            get-1k              crail-tcp         redis                          <= 2.5
            get-1k              crail-mapped      redis                          <= 1.5
            put-1k              crail-mapped      redis                          <= 2.5
            get-100k            crail-tcp         redis                          >= 1.5
            get-100k            crail-tcp         memcached                      >= 1.5
            get-100k            crail-mapped      redis                          >= 3
            get-100k            crail-mapped      memcached                      >= 3
            put-100k            crail-tcp         redis                          >= 1.5
            put-100k            crail-tcp         memcached                      >= 1.5
            put-100k            crail-mapped      redis                          >= 3
            put-100k            crail-mapped      memcached                      >= 3
            get-1m              crail-tcp         redis                          >= 1.5
            get-1m              crail-tcp         memcached                      >= 1.5
            get-1m              crail-mapped      redis                          >= 3
            get-1m              crail-mapped      memcached                      >= 3
            put-1m              crail-tcp         redis                          >= 1.5
            put-1m              crail-tcp         memcached                      >= 1.5
            put-1m              crail-mapped      redis                          >= 3
            put-1m              crail-mapped      memcached                      >= 3
            get-256-8-threads   crail-tcp         redis                          >= 1
            get-256-8-threads   crail-tcp         get-256-1-thread/crail-tcp     >= 1
            get-256-8-threads   crail-mapped      redis                          >= 1
            get-256-8-threads   crail-mapped      get-256-1-thread/crail-mapped  >= 1
            get-256-64-threads  crail-tcp         redis                          >= 1
            get-256-64-threads  crail-tcp         get-256-1-thread/crail-tcp     >= 1
            get-256-64-threads  crail-mapped      redis                          >= 1
            get-256-64-threads  crail-mapped      get-256-1-thread/crail-mapped  >= 1
            """;

    @Test
    void shouldHoldUsToTheseTargets() {
        assertThat(TargetFigure.ALL.stream().map(TargetFigureTest::line))
                .containsExactlyInAnyOrderElementsOf(ALL.lines().toList());
    }

    private static String line(TargetFigure target) {
        String bound = new BigDecimal(Double.toString(target.bound()))
                .stripTrailingZeros()
                .toPlainString();
        return String.format(
                "%-18s  %-16s  %-29s  %s %s",
                target.work(),
                target.system(),
                target.reference() == null ? "-" : target.reference(),
                target.atMost() ? "<=" : ">=",
                bound);
    }
}
