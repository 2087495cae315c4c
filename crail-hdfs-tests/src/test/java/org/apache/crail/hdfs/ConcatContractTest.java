/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Tag;

/** Hadoop's contract of concatenation, which Crail does not have. */
@Tag("hdfs")
class ConcatContractTest extends AbstractContractConcatTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
        return new CrailContract(conf);
    }
}
