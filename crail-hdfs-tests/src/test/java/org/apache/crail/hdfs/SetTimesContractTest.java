/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Tag;

/** Hadoop's contract of setting times. */
@Tag("hdfs")
class SetTimesContractTest extends AbstractContractSetTimesTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
        return new CrailContract(conf);
    }
}
