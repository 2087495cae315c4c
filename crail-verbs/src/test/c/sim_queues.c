/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "simulation.h"

/* Queue pairs: what is posted happens at once. */

static uint32_t next_qp_num = 0x11;

struct sim_qp *sim_make_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attributes)
{
    struct sim_qp *qp = sim_alloc(sizeof(*qp));

    qp->cap = attributes->cap;
    qp->receives = __real_calloc(qp->cap.max_recv_wr + 1, sizeof(*qp->receives));
    qp->qp.context = pd->context;
    qp->qp.pd = pd;
    qp->qp.send_cq = attributes->send_cq;
    qp->qp.recv_cq = attributes->recv_cq;
    qp->qp.qp_num = next_qp_num++;
    qp->qp.state = IBV_QPS_INIT;
    ((struct sim_pd *)pd)->users++;
    ((struct sim_cq *)attributes->send_cq)->users++;
    ((struct sim_cq *)attributes->recv_cq)->users++;
    return qp;
}

void sim_free_qp(struct sim_qp *qp)
{
    if (qp->peer != NULL) {
        qp->peer->peer = NULL;
    }
    ((struct sim_pd *)qp->qp.pd)->users--;
    ((struct sim_cq *)qp->qp.send_cq)->users--;
    ((struct sim_cq *)qp->qp.recv_cq)->users--;
    __real_free(qp->receives);
    sim_free(qp);
}

static void complete(struct sim_qp *qp, struct ibv_cq *cq, uint64_t wr_id, enum ibv_wc_status status,
                     enum ibv_wc_opcode opcode, uint32_t bytes, uint32_t immediate)
{
    struct ibv_wc completion = {
        .wr_id = wr_id,
        .status = status,
        .opcode = opcode,
        .byte_len = bytes,
        .imm_data = immediate,
        .qp_num = qp->qp.qp_num,
    };

    sim_add_completion(cq, &completion);
}

static bool take_receive(struct sim_qp *qp, struct sim_receive *receive)
{
    if (qp->receive_count == 0) {
        return false;
    }
    *receive = qp->receives[qp->receive_head];
    qp->receive_head = (qp->receive_head + 1) % qp->cap.max_recv_wr;
    qp->receive_count--;
    return true;
}

void sim_break(struct sim_qp *qp)
{
    struct sim_receive receive;

    qp->qp.state = IBV_QPS_ERR;
    while (take_receive(qp, &receive)) {
        complete(qp, qp->qp.recv_cq, receive.wr_id, IBV_WC_WR_FLUSH_ERR, IBV_WC_RECV, 0, 0);
    }
}

static enum ibv_wc_status deliver(struct sim_qp *to, const struct ibv_send_wr *wr, const void *data, uint32_t bytes)
{
    bool immediate = wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM || wr->opcode == IBV_WR_SEND_WITH_IMM;
    struct sim_receive receive;

    if (!take_receive(to, &receive)) {
        return IBV_WC_RNR_RETRY_EXC_ERR;
    }
    if (data != NULL && bytes > 0) {
        memcpy((void *)(uintptr_t)receive.sge.addr, data, bytes);
    }
    complete(to, to->qp.recv_cq, receive.wr_id, IBV_WC_SUCCESS,
             wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV, bytes,
             immediate ? wr->imm_data : 0);
    return IBV_WC_SUCCESS;
}

/* Returns the status of a request. */
static enum ibv_wc_status run(struct sim_qp *qp, const struct ibv_send_wr *wr)
{
    const struct ibv_sge *sge = wr->num_sge == 0 ? NULL : wr->sg_list;
    void *local = sge == NULL ? NULL : (void *)(uintptr_t)sge->addr;
    void *remote = (void *)(uintptr_t)wr->wr.rdma.remote_addr;
    uint32_t bytes = sge == NULL ? 0 : sge->length;
    int access = wr->opcode == IBV_WR_RDMA_READ ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
    bool one_sided = wr->opcode != IBV_WR_SEND && wr->opcode != IBV_WR_SEND_WITH_IMM;

    if (qp->peer == NULL || qp->peer->qp.state == IBV_QPS_ERR) {
        return IBV_WC_RETRY_EXC_ERR;
    }
    if (sge != NULL && (wr->send_flags & IBV_SEND_INLINE) == 0
        && sim_find_mr(qp->qp.pd, sge->lkey, sge->addr, bytes, 0) == NULL) {
        return IBV_WC_LOC_PROT_ERR;
    }
    if (!one_sided) {
        return deliver(qp->peer, wr, local, bytes);
    }
    if (sim_find_mr(qp->peer->qp.pd, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr, bytes, access) == NULL) {
        sim_break(qp->peer);
        return IBV_WC_REM_ACCESS_ERR;
    }
    if (wr->opcode == IBV_WR_RDMA_READ) {
        memcpy(local, remote, bytes);
    } else {
        memcpy(remote, local, bytes);
    }
    return wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM ? deliver(qp->peer, wr, NULL, bytes) : IBV_WC_SUCCESS;
}

int sim_post_send(struct ibv_qp *verbs, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    static const enum ibv_wc_opcode opcodes[] = {IBV_WC_RDMA_WRITE, IBV_WC_RDMA_WRITE, IBV_WC_SEND, IBV_WC_SEND, IBV_WC_RDMA_READ};
    struct sim_qp *qp = (struct sim_qp *)verbs;

    if (sim_fails("ibv_post_send")) {
        *bad = wr->next == NULL ? wr : wr->next;
        return errno;
    }
    sim_lock();
    for (; wr != NULL; wr = wr->next) {
        enum ibv_wc_status status = IBV_WC_WR_FLUSH_ERR;

        if (wr->opcode > IBV_WR_RDMA_READ) {
            sim_misuse("an operation is posted whose operands Java does not write");
        }
        if (qp->qp.state == IBV_QPS_INIT || wr->num_sge > (int)qp->cap.max_send_sge) {
            *bad = wr;
            sim_unlock();
            return EINVAL;
        }
        if (qp->qp.state != IBV_QPS_ERR) {
            status = run(qp, wr);
        }
        if (status != IBV_WC_SUCCESS) {
            sim_break(qp);
        }
        if (status != IBV_WC_SUCCESS || (wr->send_flags & IBV_SEND_SIGNALED) != 0) {
            complete(qp, qp->qp.send_cq, wr->wr_id, status, opcodes[wr->opcode], 0, 0);
        }
    }
    sim_unlock();
    return 0;
}

int sim_post_recv(struct ibv_qp *verbs, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
    struct sim_qp *qp = (struct sim_qp *)verbs;

    sim_lock();
    for (; wr != NULL; wr = wr->next) {
        struct sim_receive *receive;

        if (qp->qp.state == IBV_QPS_ERR) {
            complete(qp, qp->qp.recv_cq, wr->wr_id, IBV_WC_WR_FLUSH_ERR, IBV_WC_RECV, 0, 0);
            continue;
        }
        if (qp->receive_count == qp->cap.max_recv_wr) {
            *bad = wr;
            sim_unlock();
            return ENOMEM;
        }
        receive = &qp->receives[(qp->receive_head + qp->receive_count++) % qp->cap.max_recv_wr];
        receive->wr_id = wr->wr_id;
        receive->num_sge = wr->num_sge;
        if (wr->num_sge > 0) {
            receive->sge = wr->sg_list[0];
        }
    }
    sim_unlock();
    return 0;
}

int ibv_modify_qp(struct ibv_qp *verbs, struct ibv_qp_attr *attributes, int mask)
{
    if (sim_fails("ibv_modify_qp")) {
        return errno;
    }
    if (mask != IBV_QP_STATE || attributes->qp_state != IBV_QPS_ERR) {
        sim_misuse("a queue pair is changed to another state than that of an error");
    }
    sim_lock();
    sim_break((struct sim_qp *)verbs);
    sim_unlock();
    return 0;
}
