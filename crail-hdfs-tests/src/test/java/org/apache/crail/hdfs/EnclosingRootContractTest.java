/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractGetEnclosingRoot;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Tag;

/** Hadoop's contract of enclosing roots. */
@Tag("hdfs")
class EnclosingRootContractTest extends AbstractContractGetEnclosingRoot {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
        return new CrailContract(conf);
    }
}
