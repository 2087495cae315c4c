/* SPDX-License-Identifier: Apache-2.0 */

import org.apache.spark.SparkConf;

/** Settings for suites whose configuration does not take what is on the command line. */
final class OwnSettings {
    private OwnSettings() {}

    static void addTo(SparkConf conf) {
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.equals("spark.shuffle.manager") || name.startsWith("spark.crail.")) {
                conf.set(name, System.getProperty(name));
            }
        }
    }
}
