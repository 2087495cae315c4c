/* SPDX-License-Identifier: Apache-2.0 */

public final class ContextCleanerSuite extends org.apache.spark.ContextCleanerSuite {
    public ContextCleanerSuite() {
        OwnSettings.addTo(conf());
    }
}
