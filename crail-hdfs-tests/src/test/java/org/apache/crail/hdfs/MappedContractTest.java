/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.crail.testkit.ClusterKind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Those of Hadoop's contracts that move bytes, on the host of a datanode, whose blocks clients map. */
@Tag("hdfs")
class MappedContractTest {
    private static AbstractFSContract contract(Configuration conf) {
        return new CrailContract(conf, ClusterKind.MAPPED);
    }

    @Nested
    class Append extends AppendContractTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return contract(conf);
        }
    }

    @Nested
    class Seek extends SeekContractTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return contract(conf);
        }
    }

    @Nested
    class Unbuffer extends UnbufferContractTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return contract(conf);
        }
    }

    @Nested
    class VectoredRead extends VectoredReadContractTest {
        VectoredRead(String bufferType) {
            super(bufferType);
        }

        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return contract(conf);
        }
    }
}
