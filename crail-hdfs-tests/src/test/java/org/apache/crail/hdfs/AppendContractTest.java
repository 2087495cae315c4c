/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Tag;

/** Hadoop's contract of appends. */
@Tag("hdfs")
class AppendContractTest extends AbstractContractAppendTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
        return new CrailContract(conf);
    }
}
