/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.crail.conf.ConfigurationTarget;
import org.apache.crail.local.message.RingTarget;
import org.apache.crail.namenode.NamenodeTarget;
import org.apache.crail.namenode.rpc.darpc.PayloadsTarget;
import org.apache.crail.namenode.rpc.tcp.FramesTarget;
import org.apache.crail.rpc.message.RequestTarget;
import org.apache.crail.rpc.message.ResponseTarget;
import org.apache.crail.storage.tcp.ClientTarget;
import org.apache.crail.storage.tcp.DatanodeTarget;

/** All targets as one: the first byte of an input is the number of the target that takes the rest. Stateless. */
public final class AnyTarget {
    /** All others. */
    static final List<Target> ALL = List.of(
            new Target(RequestTarget.class, RequestTarget::fuzzerTestOneInput),
            new Target(ResponseTarget.class, ResponseTarget::fuzzerTestOneInput),
            new Target(NamenodeTarget.class, NamenodeTarget::fuzzerTestOneInput),
            new Target(FramesTarget.class, FramesTarget::fuzzerTestOneInput),
            new Target(PayloadsTarget.class, PayloadsTarget::fuzzerTestOneInput),
            new Target(RingTarget.class, RingTarget::fuzzerTestOneInput),
            new Target(DatanodeTarget.class, DatanodeTarget::fuzzerTestOneInput),
            new Target(ClientTarget.class, ClientTarget::fuzzerTestOneInput),
            new Target(PathTarget.class, PathTarget::fuzzerTestOneInput),
            new Target(ConfigurationTarget.class, ConfigurationTarget::fuzzerTestOneInput));

    private AnyTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            ALL.get(Byte.toUnsignedInt(input[0]) % ALL.size())
                    .method()
                    .accept(Arrays.copyOfRange(input, 1, input.length));
        }
    }

    /** A target by its class, for a JVM of its own, and to be called. */
    record Target(Class<?> type, Consumer<byte[]> method) {
        @Override
        public String toString() {
            return type.getSimpleName();
        }
    }
}
