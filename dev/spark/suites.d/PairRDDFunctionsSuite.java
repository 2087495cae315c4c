/* SPDX-License-Identifier: Apache-2.0 */

public final class PairRDDFunctionsSuite extends org.apache.spark.rdd.PairRDDFunctionsSuite {
    public PairRDDFunctionsSuite() {
        OwnSettings.addTo(conf());
    }
}
