/* SPDX-License-Identifier: Apache-2.0 */

public final class RDDSuite extends org.apache.spark.rdd.RDDSuite {
    public RDDSuite() {
        OwnSettings.addTo(conf());
    }
}
