/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "natives.h"
#include "objects.h"

/* The life of queue pairs. */

int destroy_qp(void *object)
{
    struct qp *qp = object;
    struct cm_id *id = qp->id;

    pthread_mutex_lock(&id->channel->lock);
    rdma_destroy_qp(id->cm);
    pthread_mutex_unlock(&id->channel->lock);
    handle_release(qp->send_cq);
    handle_release(qp->recv_cq);
    handle_release(qp->pd);
    free(qp);
    handle_release(id->self);
    return 0;
}

struct size {
    jint type, send_requests, recv_requests, inline_bytes;
};

/* Returns the call that failed, with its errno value in *error, or NULL. The channel's lock is held. */
static const char *open_qp(struct cm_id *id, struct qp *qp, struct pd *pd, struct cq *send, struct cq *recv,
                           struct size size, int *error)
{
    struct context *context = context_of(id->cm);
    struct ibv_qp_init_attr attributes;

    *error = ENOMEM;
    if (context == NULL) {
        return "malloc";
    }
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_type = (enum ibv_qp_type)size.type;
    attributes.send_cq = send->verbs;
    attributes.recv_cq = recv->verbs;
    attributes.cap.max_send_wr = (uint32_t)size.send_requests;
    attributes.cap.max_recv_wr = (uint32_t)size.recv_requests;
    attributes.cap.max_inline_data = (uint32_t)size.inline_bytes;
    attributes.cap.max_send_sge = (uint32_t)context->max_sge;
    attributes.cap.max_recv_sge = (uint32_t)context->max_sge;
    if (rdma_create_qp(id->cm, pd->verbs, &attributes) != 0) {
        *error = errno_of(-1);
        return "rdma_create_qp";
    }
    qp->verbs = id->cm->qp;
    qp->id = id;
    qp->self = handle_create(KIND_QP, qp);
    if (qp->self == 0) {
        rdma_destroy_qp(id->cm);
        return "handle_create";
    }
    id->qp = qp->self;
    return NULL;
}

/* Throws why an id cannot get a queue pair, if so. The channel's lock is held. */
static bool may_have_qp(JNIEnv *env, struct cm_id *id, struct size size)
{
    if (id->closed) {
        throw_not_open(env, KIND_CM_ID, id->self, "rdma_create_qp");
    } else if (atomic_load(&id->failure) != NOT_FAILED) {
        throw_io(env, "rdma_create_qp failed: %s", id->failure_text);
    } else if (id->cm->verbs == NULL) {
        throw_errno(env, EINVAL, "rdma_create_qp before the id is bound to a device");
    } else if (id->cm->qp != NULL) {
        throw_errno(env, EINVAL, "rdma_create_qp for an id that has a queue pair");
    } else if (size.send_requests < 0 || size.recv_requests < 0 || size.inline_bytes < 0) {
        throw_errno(env, EINVAL, "rdma_create_qp with a negative size");
    } else {
        return true;
    }
    return false;
}

/* The handles that a queue pair refers to, in the order in which they are acquired. */
enum { USES_ID, USES_PD, USES_SEND_CQ, USES_RECV_CQ, USES };

/* Returns 0 when it has thrown. As soon as the lock is free, another thread may destroy what was made, through its id. */
static handle create_qp(JNIEnv *env, const handle handles[USES], void *const objects[USES], struct size size)
{
    struct cm_id *id = objects[USES_ID];
    const char *failed = "malloc";
    int error = ENOMEM;
    handle made = 0;
    struct qp *qp = calloc(1, sizeof(*qp));

    pthread_mutex_lock(&id->channel->lock);
    if (!may_have_qp(env, id, size)) {
        pthread_mutex_unlock(&id->channel->lock);
        free(qp);
        return 0;
    }
    if (qp != NULL) {
        qp->pd = handles[USES_PD];
        qp->send_cq = handles[USES_SEND_CQ];
        qp->recv_cq = handles[USES_RECV_CQ];
        failed = open_qp(id, qp, objects[USES_PD], objects[USES_SEND_CQ], objects[USES_RECV_CQ], size, &error);
        made = failed == NULL ? qp->self : 0;
    }
    pthread_mutex_unlock(&id->channel->lock);
    if (failed != NULL) {
        free(qp);
        throw_errno(env, error, "%s with %d send requests, %d receive requests and %d bytes inline", failed,
                    size.send_requests, size.recv_requests, size.inline_bytes);
    }
    return made;
}

static bool acquire_all(JNIEnv *env, const handle handles[USES], void *objects[USES])
{
    static const enum kind kinds[USES] = {KIND_CM_ID, KIND_PD, KIND_CQ, KIND_CQ};

    for (int i = 0; i < USES; i++) {
        objects[i] = handle_acquire(kinds[i], handles[i]);
        if (objects[i] == NULL) {
            throw_not_open(env, kinds[i], handles[i], "rdma_create_qp");
            while (i-- > 0) {
                handle_release(handles[i]);
            }
            return false;
        }
    }
    return true;
}

/* What was acquired becomes the queue pair's own references. */
NATIVE(jlong, createQP, jlong id, jlong pd, jlong send_cq, jlong recv_cq, jint type, jint send_requests, jint recv_requests,
       jint inline_bytes)
{
    const handle handles[USES] = {id, pd, send_cq, recv_cq};
    const struct size size = {type, send_requests, recv_requests, inline_bytes};
    void *objects[USES];
    handle made;

    (void)self;
    if (!acquire_all(env, handles, objects)) {
        return NONE;
    }
    made = create_qp(env, handles, objects, size);
    if (made == 0) {
        for (int i = USES; i-- > 0;) {
            handle_release(handles[i]);
        }
        return NONE;
    }
    return made;
}

/* Takes the handle of the id. */
NATIVE(jint, destroyQP, jlong h)
{
    struct cm_id *id = handle_acquire(KIND_CM_ID, h);
    int result;

    UNUSED_JNI;
    if (id == NULL) {
        return NONE;
    }
    result = close_qp_of(id);
    handle_release(h);
    return result == 0 ? 0 : NONE;
}

NATIVE(jint, getQpNum, jlong h)
{
    struct qp *qp = handle_acquire(KIND_QP, h);
    jint number;

    (void)self;
    if (qp == NULL) {
        throw_not_open(env, KIND_QP, h, "getQpNum");
        return NONE;
    }
    number = (jint)qp->verbs->qp_num;
    handle_release(h);
    return number;
}

/* Java passes no attributes, so there is nothing that could be set (P25). */
NATIVE(jint, modifyQP, jlong h, jlong attributes)
{
    (void)self;
    (void)h;
    (void)attributes;
    throw_errno(env, EOPNOTSUPP, "ibv_modify_qp");
    return NONE;
}
