/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "natives.h"
#include "objects.h"
#include "settings.h"

/*
 * What is done with a connection id. Each call of librdmacm is made under the channel's lock; those that would follow a null
 * pointer when they come too early are refused before (P9).
 */

/* What InfiniBand and RoCE leave of a connect request for the program. */
#define MAX_PRIVATE_DATA_BYTES 56

/* Counts of retries have three bits; 7 means without end where the receiver is not ready. */
#define RETRY_MASK 7

static struct cm_id *acquire_locked(JNIEnv *env, handle h, const char *call)
{
    struct cm_id *id = handle_acquire(KIND_CM_ID, h);

    if (id == NULL) {
        throw_not_open(env, KIND_CM_ID, h, call);
    } else {
        pthread_mutex_lock(&id->channel->lock);
    }
    return id;
}

static void unlock_and_release(struct cm_id *id)
{
    pthread_mutex_unlock(&id->channel->lock);
    handle_release(id->self);
}

/* Copies what Java has written; the end of it is whatever the buffer held before (P24). */
static bool read_address(JNIEnv *env, const char *call, jlong address, struct sockaddr_in *copy)
{
    memset(copy, 0, sizeof(*copy));
    if (address == 0) {
        throw_errno(env, EINVAL, "%s without an address", call);
        return false;
    }
    memcpy(copy, at(address), offsetof(struct sockaddr_in, sin_zero));
    if (copy->sin_family != AF_INET) {
        throw_errno(env, EAFNOSUPPORT, "%s with address family %d", call, copy->sin_family);
        return false;
    }
    return true;
}

static const char *address_text(const struct sockaddr_in *address, char *text, size_t bytes)
{
    return inet_ntop(AF_INET, &address->sin_addr, text, (socklen_t)bytes) == NULL ? "?" : text;
}

static void throw_with_address(JNIEnv *env, const char *call, const struct sockaddr_in *address, int error)
{
    char text[INET_ADDRSTRLEN];

    throw_errno(env, error, "%s to %s port %d", call, address_text(address, text, sizeof(text)), ntohs(address->sin_port));
}

NATIVE(void, bindAddr, jlong h, jlong address)
{
    static const char call[] = "rdma_bind_addr";
    struct sockaddr_in local;
    struct cm_id *id;
    int error;

    (void)self;
    if (!read_address(env, call, address, &local)) {
        return;
    }
    id = acquire_locked(env, h, call);
    if (id == NULL) {
        return;
    }
    error = rdma_bind_addr(id->cm, (struct sockaddr *)&local) == 0 ? 0 : errno_of(-1);
    unlock_and_release(id);
    if (error != 0) {
        throw_with_address(env, call, &local, error);
    }
}

NATIVE(void, listen, jlong h, jint backlog)
{
    struct cm_id *id = acquire_locked(env, h, "rdma_listen");
    int error;

    (void)self;
    if (id == NULL) {
        return;
    }
    error = rdma_listen(id->cm, backlog) == 0 ? 0 : errno_of(-1);
    id->listening = error == 0;
    unlock_and_release(id);
    if (error != 0) {
        throw_errno(env, error, "rdma_listen");
    }
}

NATIVE(void, resolveAddr, jlong h, jlong source, jlong destination, jint timeout_ms)
{
    static const char call[] = "rdma_resolve_addr";
    struct sockaddr_in local;
    struct sockaddr_in peer;
    struct cm_id *id;
    int error;

    (void)self;
    if (!read_address(env, call, destination, &peer) || (source != 0 && !read_address(env, call, source, &local))) {
        return;
    }
    id = acquire_locked(env, h, call);
    if (id == NULL) {
        return;
    }
    error = rdma_resolve_addr(id->cm, source == 0 ? NULL : (struct sockaddr *)&local, (struct sockaddr *)&peer, timeout_ms);
    error = error == 0 ? 0 : errno_of(-1);
    if (timeout_ms > id->timeout_ms) {
        id->timeout_ms = timeout_ms;
    }
    unlock_and_release(id);
    if (error != 0) {
        throw_with_address(env, call, &peer, error);
    }
}

/* Whether an id can be used for what follows; throws and lets go of it otherwise. */
static bool is_ready(JNIEnv *env, struct cm_id *id, const char *call, bool needs_qp)
{
    const char *missing = NULL;

    if (atomic_load(&id->failure) != NOT_FAILED) {
        throw_io(env, "%s failed: %s", call, id->failure_text);
        unlock_and_release(id);
        return false;
    }
    if (id->cm->verbs == NULL) {
        missing = "bound to a device";
    } else if (needs_qp && id->cm->qp == NULL) {
        missing = "given a queue pair";
    }
    if (missing != NULL) {
        unlock_and_release(id);
        throw_errno(env, EINVAL, "%s before the id is %s", call, missing);
    }
    return missing == NULL;
}

NATIVE(void, resolveRoute, jlong h, jint timeout_ms)
{
    static const char call[] = "rdma_resolve_route";
    struct cm_id *id = acquire_locked(env, h, call);
    int error;

    (void)self;
    if (id == NULL || !is_ready(env, id, call, false)) {
        return;
    }
    error = rdma_resolve_route(id->cm, timeout_ms) == 0 ? 0 : errno_of(-1);
    unlock_and_release(id);
    if (error != 0) {
        throw_errno(env, error, "%s", call);
    }
}

/*
 * 0xff for both depths lets librdmacm take what the device can, when accepting no more than the peer asked for (P14). Java
 * has no means to set them; with 0 there would be no RDMA READ.
 */
static struct rdma_conn_param parameters(jint retry_count, jint rnr_retry_count)
{
    return (struct rdma_conn_param){
        .responder_resources = RDMA_MAX_RESP_RES,
        .initiator_depth = RDMA_MAX_INIT_DEPTH,
        .retry_count = (uint8_t)(retry_count & RETRY_MASK),
        .rnr_retry_count = (uint8_t)(rnr_retry_count & RETRY_MASK),
    };
}

/*
 * 0 is what most programs leave in place, and is passed as it is unless the process has chosen otherwise (P15). Who leaves both
 * in place has not thought of ends either, and then gets back at once what is posted when the peer disconnects (P28).
 */
static struct rdma_conn_param mended(struct rdma_conn_param param, bool *flushes)
{
    uint8_t retries = (uint8_t)(atomic_load(&settings.default_retries) & RETRY_MASK);

    *flushes = param.retry_count == 0 && param.rnr_retry_count == 0 && retries != 0;
    param.retry_count = param.retry_count != 0 ? param.retry_count : retries;
    param.rnr_retry_count = param.rnr_retry_count != 0 ? param.rnr_retry_count : retries;
    return param;
}

NATIVE(void, connect, jlong h, jint retry_count, jint rnr_retry_count, jlong data, jbyte data_bytes)
{
    static const char call[] = "rdma_connect";
    bool flushes;
    struct rdma_conn_param param = mended(parameters(retry_count, rnr_retry_count), &flushes);
    struct cm_id *id = acquire_locked(env, h, call);
    int error;

    (void)self;
    if (id == NULL || !is_ready(env, id, call, true)) {
        return;
    }
    /* The length is meant as unsigned; the data are copied before rdma_connect returns (P16). */
    param.private_data_len = (uint8_t)data_bytes;
    param.private_data = param.private_data_len == 0 ? NULL : at(data);
    if (param.private_data_len > 0 && data == 0) {
        error = EFAULT;
    } else if (param.private_data_len > MAX_PRIVATE_DATA_BYTES
               && id->cm->verbs->device->transport_type == IBV_TRANSPORT_IB) {
        error = EMSGSIZE;
    } else {
        id->flushes = flushes;
        error = rdma_connect(id->cm, &param) == 0 ? 0 : errno_of(-1);
    }
    if (error == 0) {
        expect_answer(id);
    }
    unlock_and_release(id);
    if (error != 0) {
        throw_errno(env, error, "%s with %u bytes of private data, at most %d", call, param.private_data_len,
                    MAX_PRIVATE_DATA_BYTES);
    }
}

NATIVE(void, accept, jlong h, jint retry_count, jint rnr_retry_count)
{
    static const char call[] = "rdma_accept";
    struct rdma_conn_param param = parameters(retry_count, rnr_retry_count);
    struct cm_id *id = acquire_locked(env, h, call);
    int error;

    (void)self;
    if (id == NULL || !is_ready(env, id, call, true)) {
        return;
    }
    error = rdma_accept(id->cm, &param) == 0 ? 0 : errno_of(-1);
    if (error == 0) {
        expect_answer(id);
    }
    unlock_and_release(id);
    if (error != 0) {
        throw_errno(env, error, "%s", call);
    }
}

/* Not being connected is no reason for an exception, which Java does not expect here. */
NATIVE(jint, disconnect, jlong h)
{
    struct cm_id *id = handle_acquire(KIND_CM_ID, h);
    int result;

    UNUSED_JNI;
    if (id == NULL) {
        return NONE;
    }
    pthread_mutex_lock(&id->channel->lock);
    result = rdma_disconnect(id->cm);
    unlock_and_release(id);
    return result == 0 ? 0 : NONE;
}
