/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Netty's leak detector, which the build sets to its highest level, allocates more than what is measured; it rests
 * here.
 */
final class LeakDetectorRest implements BeforeAllCallback, AfterAllCallback {
    private Level levelOfOtherTests;

    @Override
    public void beforeAll(ExtensionContext context) {
        levelOfOtherTests = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(Level.DISABLED);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        ResourceLeakDetector.setLevel(levelOfOtherTests);
    }
}
