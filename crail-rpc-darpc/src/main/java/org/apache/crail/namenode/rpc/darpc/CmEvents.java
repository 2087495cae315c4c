/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

/** Numbers of events of the connection manager, as rdma/rdma_cma.h has them. Constants only. */
final class CmEvents {
    static final int CONNECT_REQUEST = 4;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;

    private CmEvents() {}
}
