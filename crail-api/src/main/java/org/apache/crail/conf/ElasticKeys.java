/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Keys of the elastic namenode of the last development version of Crail 1.x, accepted without effect. Constants only.
 */
public final class ElasticKeys {
    private static final String ELASTIC = "Elasticity";
    private static final String NO_EFFECT = "Has no effect; accepted because files written for Crail 1.x may hold it.";

    /** Threshold of use above which datanodes are added. */
    public static final ConfigKey<Double> ELASTICSTORE_SCALEUP = ConfigKey.decimal("crail.elasticstore.scaleup")
            .group(ELASTIC)
            .defaultText("0.4")
            .between(0.0, 1.0)
            .text("Share of blocks in use above which a datanode is started.", NO_EFFECT)
            .build();

    /** Threshold of use below which datanodes are removed. */
    public static final ConfigKey<Double> ELASTICSTORE_SCALEDOWN = ConfigKey.decimal("crail.elasticstore.scaledown")
            .group(ELASTIC)
            .defaultText("0.1")
            .between(0.0, 1.0)
            .text("Share of blocks in use below which a datanode is retired.", NO_EFFECT)
            .build();

    /** Fewest datanodes. */
    public static final ConfigKey<Integer> ELASTICSTORE_MINNODES = ConfigKey.integer("crail.elasticstore.minnodes")
            .group(ELASTIC)
            .defaultText("1")
            .atLeast(0)
            .text("Fewest datanodes.", NO_EFFECT)
            .build();

    /** Most datanodes. */
    public static final ConfigKey<Integer> ELASTICSTORE_MAXNODES = ConfigKey.integer("crail.elasticstore.maxnodes")
            .group(ELASTIC)
            .defaultText("10")
            .atLeast(0)
            .text("Most datanodes.", NO_EFFECT)
            .build();

    /** Period of the elastic policy. */
    public static final ConfigKey<Duration> ELASTICSTORE_POLICYRUNNER_INTERVAL = ConfigKey.duration(
                    "crail.elasticstore.policyrunner.interval", ChronoUnit.MILLIS)
            .group(ELASTIC)
            .defaultText("1s")
            .between(Duration.ofMillis(1), Duration.ofHours(24))
            .text("Period in which the number of datanodes is reconsidered.", NO_EFFECT)
            .build();

    /** Whether the elastic policy logs. */
    public static final ConfigKey<Boolean> ELASTICSTORE_LOGGING = ConfigKey.bool("crail.elasticstore.logging")
            .group(ELASTIC)
            .defaultText("false")
            .text("Whether changes of the number of datanodes are logged.", NO_EFFECT)
            .build();

    private ElasticKeys() {}
}
