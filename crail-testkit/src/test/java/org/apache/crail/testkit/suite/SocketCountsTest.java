/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import org.apache.crail.testkit.ClusterKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The leak detector, which the build sets to its highest level, allocates more than what is measured; it rests here. */
final class SocketCountsTest extends CountsSuite {
    private static Level levelOfOtherTests;

    @BeforeAll
    static void restLeakDetector() {
        levelOfOtherTests = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(Level.DISABLED);
    }

    @AfterAll
    static void wakeLeakDetector() {
        ResourceLeakDetector.setLevel(levelOfOtherTests);
    }

    @Override
    protected ClusterKind kind() {
        return ClusterKind.SOCKETS;
    }

    /** Measured: 1890 (JDK 17). */
    @Override
    protected long maxBytesPerLookup() {
        return 3 * 1024;
    }

    /** Measured: 1340 (JDK 17). */
    @Override
    protected long maxBytesPerRead() {
        return 2560;
    }
}
