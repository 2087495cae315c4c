/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stddef.h>

#include "natives.h"
#include "objects.h"

/*
 * Posting work requests: no lock, no allocation, no logging. Requests are used where Java wrote them and are not changed,
 * since Java posts the same buffer again and again. The reference to the queue pair keeps it while another thread destroys
 * it.
 */

/* More are a chain without an end. */
#define MAX_CHAIN (1 << 20)

/* Java leaves the operands of the other operations, such as atomics, as it finds them in the buffer (P19). */
#define LAST_OPCODE IBV_WR_RDMA_READ

/* What is wrong with a chain of requests: an errno value, and which request it is. */
struct fault {
    int error;
    int index;
};

static struct fault check_send(const struct ibv_send_wr *first)
{
    struct fault fault = {0, 0};

    for (const struct ibv_send_wr *wr = first; wr != NULL; wr = wr->next) {
        if ((unsigned)wr->opcode > LAST_OPCODE) {
            fault.error = EOPNOTSUPP;
            return fault;
        }
        if (++fault.index == MAX_CHAIN) {
            fault.error = ELOOP;
            return fault;
        }
    }
    return fault;
}

static struct fault post_send(struct qp *qp, struct ibv_send_wr *first)
{
    struct fault fault = first == NULL ? (struct fault){EFAULT, 0} : check_send(first);
    struct ibv_send_wr *bad = NULL;

    if (fault.error == 0) {
        fault = (struct fault){errno_of(ibv_post_send(qp->verbs, first, &bad)), 0};
        if (fault.error != 0) {
            for (const struct ibv_send_wr *wr = first; wr != NULL && wr != bad; wr = wr->next) {
                fault.index++;
            }
        }
    }
    return fault;
}

static struct fault post_recv(struct qp *qp, struct ibv_recv_wr *first)
{
    struct fault fault = {first == NULL ? EFAULT : 0, 0};
    struct ibv_recv_wr *bad = NULL;

    if (fault.error == 0) {
        fault.error = errno_of(ibv_post_recv(qp->verbs, first, &bad));
        if (fault.error != 0) {
            for (const struct ibv_recv_wr *wr = first; wr != NULL && wr != bad; wr = wr->next) {
                fault.index++;
            }
        }
    }
    return fault;
}

static void throw_fault(JNIEnv *env, const char *call, struct fault fault)
{
    throw_errno(env, fault.error, "%s of request %d of the chain%s", call, fault.index,
                fault.error == ENOMEM ? " (the queue is full)" : "");
}

/* On a connection that failed, Java learns of it here at the latest (P3). */
NATIVE(void, postSend, jlong h, jlong first)
{
    struct qp *qp = handle_acquire(KIND_QP, h);
    struct fault fault;

    (void)self;
    if (qp == NULL) {
        throw_not_open(env, KIND_QP, h, "ibv_post_send");
        return;
    }
    if (atomic_load_explicit(&qp->id->failure, memory_order_acquire) != NOT_FAILED) {
        throw_io(env, "ibv_post_send failed: %s", qp->id->failure_text);
        handle_release(h);
        return;
    }
    fault = post_send(qp, at(first));
    handle_release(h);
    if (fault.error != 0) {
        throw_fault(env, "ibv_post_send", fault);
    }
}

NATIVE(void, postRecv, jlong h, jlong first)
{
    struct qp *qp = handle_acquire(KIND_QP, h);
    struct fault fault;

    (void)self;
    if (qp == NULL) {
        throw_not_open(env, KIND_QP, h, "ibv_post_recv");
        return;
    }
    fault = post_recv(qp, at(first));
    handle_release(h);
    if (fault.error != 0) {
        throw_fault(env, "ibv_post_recv", fault);
    }
}
