/* SPDX-License-Identifier: Apache-2.0 */
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stddef.h>

#include "natives.h"

/* The layouts that Java writes and reads by itself. It asks for the sizes, but takes these offsets for granted. */
_Static_assert(offsetof(struct ibv_send_wr, wr_id) == 0, "Java changes wr_id in place");
_Static_assert(offsetof(struct ibv_send_wr, send_flags) == 32, "Java changes send_flags in place");
_Static_assert(
    offsetof(struct ibv_send_wr, wr.rdma.rkey) == offsetof(struct ibv_send_wr, wr.rdma.remote_addr) + 8,
    "Java writes the key behind the address");
_Static_assert(sizeof(struct ibv_sge) == 16 && sizeof(struct ibv_recv_wr) == 32, "Java lays out work requests");
_Static_assert(sizeof(struct ibv_wc) == 48 && offsetof(struct ibv_wc, qp_num) == 28, "Java reads completions");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && sizeof(void *) == 8, "DiSNI needs 64 bits, little endian");

#define JVERBS_VERSION 32

#define CONSTANT(name, value)                                                                                          \
    NATIVE(jint, name)                                                                                                 \
    {                                                                                                                  \
        UNUSED_JNI;                                                                                                    \
        return (jint)(value);                                                                                          \
    }

CONSTANT(getVersion, JVERBS_VERSION)
CONSTANT(getSockAddrInSize, sizeof(struct sockaddr_in))
CONSTANT(getIbvRecvWRSize, sizeof(struct ibv_recv_wr))
CONSTANT(getIbvSendWRSize, sizeof(struct ibv_send_wr))
CONSTANT(getIbvSgeSize, sizeof(struct ibv_sge))
CONSTANT(getIbvWCSize, sizeof(struct ibv_wc))
CONSTANT(getRemoteAddressOffset, offsetof(struct ibv_send_wr, wr.rdma.remote_addr))
CONSTANT(getRKeyOffset, offsetof(struct ibv_send_wr, wr.rdma.rkey))
