/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "natives.h"
#include "objects.h"
#include "settings.h"

/* Devices, as librdmacm has opened them. */

/* DiSNI asks for 1 or 4 elements, but does not tell; what a device cannot do is not asked for (P20). */
#define MAX_SGE 4

static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;
static struct context *contexts; /* guarded by contexts_lock */

static int max_sge_of(struct ibv_context *verbs)
{
    struct ibv_device_attr attributes;

    if (ibv_query_device(verbs, &attributes) != 0) {
        return 1;
    }
    return attributes.max_sge < MAX_SGE ? attributes.max_sge : MAX_SGE;
}

/*
 * An id of our own on the same device. librdmacm closes a removed device when its last id goes, but protection domains,
 * queues and memory regions, which may go later, still point to it.
 */
static struct rdma_cm_id *make_anchor(struct rdma_cm_id *cm)
{
    struct sockaddr_in address;
    struct rdma_cm_id *anchor;

    if (rdma_get_local_addr(cm)->sa_family != AF_INET || rdma_create_id(NULL, &anchor, NULL, RDMA_PS_TCP) != 0) {
        return NULL;
    }
    memcpy(&address, rdma_get_local_addr(cm), sizeof(address));
    address.sin_port = 0;
    if (rdma_bind_addr(anchor, (struct sockaddr *)&address) != 0 || anchor->verbs != cm->verbs) {
        debug_log("no id to keep device %s open", ibv_get_device_name(cm->verbs->device));
        rdma_destroy_id(anchor);
        return NULL;
    }
    return anchor;
}

static struct context *make_context(struct rdma_cm_id *cm)
{
    struct context *context = calloc(1, sizeof(*context));

    if (context != NULL) {
        context->verbs = cm->verbs;
        context->self = handle_create(KIND_CONTEXT, context);
    }
    if (context == NULL || context->self == 0) {
        free(context);
        errno = ENOMEM;
        return NULL;
    }
    context->max_sge = max_sge_of(cm->verbs);
    context->anchor = make_anchor(cm);
    context->next = contexts;
    contexts = context;
    return context;
}

struct context *context_of(struct rdma_cm_id *cm)
{
    struct context *context;

    pthread_mutex_lock(&contexts_lock);
    for (context = contexts; context != NULL && context->verbs != cm->verbs;) {
        context = context->next;
    }
    if (context == NULL) {
        context = make_context(cm);
    }
    pthread_mutex_unlock(&contexts_lock);
    return context;
}

/* -1 for an id without a device, such as a listener on all addresses, which DiSNI cannot use (P10). */
NATIVE(jlong, getContext, jlong h)
{
    static const char call[] = "getContext";
    struct cm_id *id = handle_acquire(KIND_CM_ID, h);
    struct context *context = NULL;
    bool failed;
    bool bound;

    (void)self;
    if (id == NULL) {
        throw_not_open(env, KIND_CM_ID, h, call);
        return NONE;
    }
    pthread_mutex_lock(&id->channel->lock);
    failed = atomic_load(&id->failure) == FAILED_TO_RESOLVE;
    bound = id->cm->verbs != NULL;
    if (bound && !failed) {
        context = context_of(id->cm);
    }
    pthread_mutex_unlock(&id->channel->lock);
    if (failed) {
        throw_io(env, "%s failed: %s", call, id->failure_text);
    } else if (bound && context == NULL) {
        throw_errno(env, ENOMEM, "%s", call);
    }
    handle_release(h);
    return context == NULL ? NONE : context->self;
}

/* Java takes it for the device's identity: one context for each device and process, never closed (P22). */
NATIVE(jint, getContextFd, jlong h)
{
    struct context *context = handle_acquire(KIND_CONTEXT, h);
    jint fd;

    (void)self;
    if (context == NULL) {
        throw_not_open(env, KIND_CONTEXT, h, "getContextFd");
        return NONE;
    }
    fd = context->verbs->cmd_fd;
    handle_release(h);
    return fd;
}

NATIVE(jint, getContextNumCompVectors, jlong h)
{
    struct context *context = handle_acquire(KIND_CONTEXT, h);
    jint vectors;

    (void)self;
    if (context == NULL) {
        throw_not_open(env, KIND_CONTEXT, h, "getContextNumCompVectors");
        return NONE;
    }
    vectors = context->verbs->num_comp_vectors;
    handle_release(h);
    return vectors;
}

/* The bits of what reliable connections can do with memory that is paged in on demand, -1 if nothing. */
NATIVE(jint, queryOdpSupport, jlong h)
{
    struct context *context = handle_acquire(KIND_CONTEXT, h);
    struct ibv_device_attr_ex attributes = {0};
    jint bits = NONE;

    UNUSED_JNI;
    if (context == NULL) {
        return NONE;
    }
    if (ibv_query_device_ex(context->verbs, NULL, &attributes) == 0
        && (attributes.odp_caps.general_caps & IBV_ODP_SUPPORT) != 0) {
        bits = (jint)attributes.odp_caps.per_transport_caps.rc_odp_caps;
    }
    handle_release(h);
    return bits;
}
