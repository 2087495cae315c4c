/* SPDX-License-Identifier: Apache-2.0 */

public final class ShuffleSuite extends org.apache.spark.ShuffleSuite {
    public ShuffleSuite() {
        OwnSettings.addTo(conf());
    }
}
