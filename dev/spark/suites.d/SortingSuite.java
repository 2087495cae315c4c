/* SPDX-License-Identifier: Apache-2.0 */

public final class SortingSuite extends org.apache.spark.rdd.SortingSuite {
    public SortingSuite() {
        OwnSettings.addTo(conf());
    }
}
