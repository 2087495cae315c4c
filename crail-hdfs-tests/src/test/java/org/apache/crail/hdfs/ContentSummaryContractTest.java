/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Tag;

/** Hadoop's contract of summaries of trees. */
@Tag("hdfs")
class ContentSummaryContractTest extends AbstractContractContentSummaryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
        return new CrailContract(conf);
    }
}
