/* SPDX-License-Identifier: Apache-2.0 */

public final class RDDBarrierSuite extends org.apache.spark.rdd.RDDBarrierSuite {
    public RDDBarrierSuite() {
        OwnSettings.addTo(conf());
    }
}
