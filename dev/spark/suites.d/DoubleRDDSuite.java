/* SPDX-License-Identifier: Apache-2.0 */

public final class DoubleRDDSuite extends org.apache.spark.rdd.DoubleRDDSuite {
    public DoubleRDDSuite() {
        OwnSettings.addTo(conf());
    }
}
