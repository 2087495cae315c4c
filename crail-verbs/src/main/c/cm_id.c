/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "natives.h"
#include "objects.h"
#include "settings.h"
#include "waiting.h"

/* The life of connection ids, and what is known of them without asking the kernel. */

struct cm_id *adopt_cm_id(struct event_channel *channel, struct rdma_cm_id *cm)
{
    struct cm_id *id = calloc(1, sizeof(*id));

    if (id == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (handle_acquire(KIND_EVENT_CHANNEL, channel->self) == NULL) {
        free(id);
        errno = EBADF;
        return NULL;
    }
    id->cm = cm;
    id->channel = channel;
    id->timeout_ms = settings.connect_timeout_ms;
    id->self = handle_create(KIND_CM_ID, id);
    if (id->self == 0) {
        handle_release(channel->self);
        free(id);
        errno = ENOMEM;
        return NULL;
    }
    id->next = channel->ids;
    if (id->next != NULL) {
        id->next->previous = id;
    }
    channel->ids = id;
    cm->context = id;
    return id;
}

static void unlink_id(struct cm_id *id)
{
    if (id->next != NULL) {
        id->next->previous = id->previous;
    }
    if (id->previous != NULL) {
        id->previous->next = id->next;
    } else {
        id->channel->ids = id->next;
    }
}

/*
 * rdma_destroy_id waits until all events of the id are acknowledged. They always are: events are read and acknowledged under
 * the lock that is held here (P1).
 */
int destroy_cm_id(void *object)
{
    struct cm_id *id = object;
    struct event_channel *channel = id->channel;
    int error;

    pthread_mutex_lock(&channel->lock);
    expect_nothing(id);
    unlink_id(id);
    error = rdma_destroy_id(id->cm) == 0 ? 0 : errno_of(-1);
    pthread_mutex_unlock(&channel->lock);
    free(id);
    handle_release(channel->self);
    return error;
}

void expect_answer(struct cm_id *id)
{
    expect_nothing(id);
    id->answer_by = deadline_after(id->timeout_ms);
    id->late = false;
    id->channel->pending++;
}

void expect_nothing(struct cm_id *id)
{
    if (id->answer_by != 0) {
        id->answer_by = 0;
        id->channel->pending--;
    }
}

int close_qp_of(struct cm_id *id)
{
    handle qp;

    pthread_mutex_lock(&id->channel->lock);
    qp = id->qp;
    id->qp = 0;
    pthread_mutex_unlock(&id->channel->lock);
    return qp == 0 ? -1 : handle_close(KIND_QP, qp);
}

int close_cm_id(handle h)
{
    struct cm_id *id = handle_acquire(KIND_CM_ID, h);
    int error;

    if (id == NULL) {
        return -1;
    }
    pthread_mutex_lock(&id->channel->lock);
    id->closed = true;
    pthread_mutex_unlock(&id->channel->lock);
    /* librdmacm would leave the queue pair behind (P26). */
    close_qp_of(id);
    error = handle_close(KIND_CM_ID, h);
    handle_release(h);
    return error;
}

NATIVE(jlong, createId, jlong h, jshort port_space)
{
    struct event_channel *channel;
    struct rdma_cm_id *cm;
    handle made = 0;
    int error = 0;

    (void)self;
    if (port_space != RDMA_PS_TCP) {
        throw_errno(env, EPROTONOSUPPORT, "rdma_create_id for port space 0x%x instead of RDMA_PS_TCP, 0x%x",
                    (unsigned)(uint16_t)port_space, (unsigned)RDMA_PS_TCP);
        return NONE;
    }
    channel = handle_acquire(KIND_EVENT_CHANNEL, h);
    if (channel == NULL) {
        throw_not_open(env, KIND_EVENT_CHANNEL, h, "rdma_create_id");
        return NONE;
    }
    pthread_mutex_lock(&channel->lock);
    if (rdma_create_id(channel->cm, &cm, NULL, RDMA_PS_TCP) != 0) {
        error = errno_of(-1);
    } else {
        struct cm_id *id = adopt_cm_id(channel, cm);

        if (id == NULL) {
            error = errno;
            rdma_destroy_id(cm);
        } else {
            made = id->self; /* without the lock, the id may be closed with its channel at any time */
        }
    }
    pthread_mutex_unlock(&channel->lock);
    handle_release(h);
    if (made == 0) {
        throw_errno(env, error, "rdma_create_id");
        return NONE;
    }
    return made;
}

/* Also used for _destroyEp, since shared receive queues cannot be made from Java: a second call finds a closed handle (P5). */
NATIVE(jint, destroyCmId, jlong h)
{
    UNUSED_JNI;
    return close_cm_id(h) == 0 ? 0 : NONE;
}

NATIVE(jint, destroyEp, jlong h)
{
    UNUSED_JNI;
    return close_cm_id(h) == 0 ? 0 : NONE;
}

/*
 * Called while Java dispatches an event, before it takes note of it: never throws, and answers for an id in any state (P8).
 * Java reads an IPv4 address; others are not passed for one (P23). An address that is not known yet is all zeros.
 */
static jint copy_address_of(handle h, jlong address, struct sockaddr *(*get)(struct rdma_cm_id *))
{
    struct cm_id *id = handle_acquire(KIND_CM_ID, h);
    struct sockaddr_in found = {0};
    const struct sockaddr *known;
    jint result = NONE;

    if (id == NULL) {
        return NONE;
    }
    pthread_mutex_lock(&id->channel->lock);
    known = get(id->cm);
    if (known != NULL && (known->sa_family == AF_INET || known->sa_family == AF_UNSPEC)) {
        memcpy(&found, known, sizeof(found));
        result = 0;
    }
    pthread_mutex_unlock(&id->channel->lock);
    handle_release(h);
    if (result == 0 && address != 0) {
        memcpy(at(address), &found, sizeof(found));
        return 0;
    }
    return NONE;
}

NATIVE(jint, getSrcAddr, jlong h, jlong address)
{
    UNUSED_JNI;
    return copy_address_of(h, address, rdma_get_local_addr);
}

NATIVE(jint, getDstAddr, jlong h, jlong address)
{
    UNUSED_JNI;
    return copy_address_of(h, address, rdma_get_peer_addr);
}
