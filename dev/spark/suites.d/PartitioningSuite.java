/* SPDX-License-Identifier: Apache-2.0 */

public final class PartitioningSuite extends org.apache.spark.PartitioningSuite {
    public PartitioningSuite() {
        OwnSettings.addTo(conf());
    }
}
