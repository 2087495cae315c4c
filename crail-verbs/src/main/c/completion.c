/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "natives.h"
#include "objects.h"
#include "waiting.h"

/* Completion channels and queues. */

/* So many entries are polled at a time, see pollCQ. */
#define POLL_BATCH 16

int destroy_comp_channel(void *object)
{
    struct comp_channel *channel = object;
    int error = channel->verbs == NULL ? 0 : errno_of(ibv_destroy_comp_channel(channel->verbs));

    if (channel->wake_fd >= 0) {
        close(channel->wake_fd);
    }
    free(channel);
    return error;
}

static const char *open_comp_channel(struct comp_channel *channel, struct ibv_context *verbs, int *error)
{
    channel->verbs = ibv_create_comp_channel(verbs);
    if (channel->verbs == NULL) {
        *error = errno_of(-1);
        return "ibv_create_comp_channel";
    }
    channel->wake_fd = wake_create();
    if (channel->wake_fd < 0) {
        *error = errno;
        return "eventfd";
    }
    if (make_nonblocking(channel->verbs->fd) != 0) {
        *error = errno;
        return "fcntl(O_NONBLOCK)";
    }
    channel->self = handle_create(KIND_COMP_CHANNEL, channel);
    *error = ENOMEM;
    return channel->self == 0 ? "handle_create" : NULL;
}

NATIVE(jlong, createCompChannel, jlong h)
{
    struct context *context = handle_acquire(KIND_CONTEXT, h);
    const char *failed = "malloc";
    int error = ENOMEM;
    struct comp_channel *channel;

    (void)self;
    if (context == NULL) {
        throw_not_open(env, KIND_CONTEXT, h, "ibv_create_comp_channel");
        return NONE;
    }
    channel = calloc(1, sizeof(*channel));
    if (channel != NULL) {
        channel->wake_fd = -1;
        failed = open_comp_channel(channel, context->verbs, &error);
        if (failed != NULL) {
            destroy_comp_channel(channel);
        }
    }
    handle_release(h);
    if (failed != NULL) {
        throw_errno(env, error, "%s", failed);
        return NONE;
    }
    return channel->self;
}

/*
 * DiSNI destroys the channel before its queue; the channel then goes with the queue (P2). A wait for events ends. Its passive
 * groups call neither this nor destroyCQ, which cannot be made up for here (P21).
 */
NATIVE(jint, destroyCompChannel, jlong h)
{
    struct comp_channel *channel = handle_acquire(KIND_COMP_CHANNEL, h);
    int result;

    UNUSED_JNI;
    if (channel == NULL) {
        return NONE;
    }
    result = handle_close(KIND_COMP_CHANNEL, h);
    if (result == 0) {
        wake_all(channel->wake_fd);
    }
    handle_release(h);
    return result;
}

/* ibv_destroy_cq waits until all events that were delivered are acknowledged, which getCqEvent does at once (P4). */
int destroy_cq(void *object)
{
    struct cq *cq = object;
    int error = errno_of(ibv_destroy_cq(cq->verbs));

    handle_release(cq->channel);
    free(cq);
    return error;
}

/* Returns 0 or an errno value. The new queue takes over the reference to the channel. */
static int make_cq(struct context *context, struct comp_channel *channel, int entries, int vector, struct cq **result)
{
    struct cq *cq;
    int error = ENOMEM;

    if (entries <= 0 || channel->verbs->context != context->verbs) {
        return EINVAL;
    }
    cq = calloc(1, sizeof(*cq));
    if (cq == NULL) {
        return error;
    }
    cq->channel = channel->self;
    cq->verbs = ibv_create_cq(context->verbs, entries, NULL, channel->verbs, vector);
    if (cq->verbs == NULL) {
        error = errno_of(-1);
    } else {
        cq->self = handle_create(KIND_CQ, cq);
        if (cq->self != 0) {
            *result = cq;
            return 0;
        }
        ibv_destroy_cq(cq->verbs);
    }
    free(cq);
    return error;
}

NATIVE(jlong, createCQ, jlong context_handle, jlong channel_handle, jint entries, jint vector)
{
    struct context *context = handle_acquire(KIND_CONTEXT, context_handle);
    struct comp_channel *channel;
    struct cq *cq = NULL;
    int error;

    (void)self;
    if (context == NULL) {
        throw_not_open(env, KIND_CONTEXT, context_handle, "ibv_create_cq");
        return NONE;
    }
    channel = handle_acquire(KIND_COMP_CHANNEL, channel_handle);
    if (channel == NULL) {
        handle_release(context_handle);
        throw_not_open(env, KIND_COMP_CHANNEL, channel_handle, "ibv_create_cq");
        return NONE;
    }
    error = make_cq(context, channel, entries, vector, &cq);
    handle_release(context_handle);
    if (error != 0) {
        handle_release(channel_handle);
        throw_errno(env, error, "ibv_create_cq with %d entries and completion vector %d", entries, vector);
        return NONE;
    }
    return cq->self;
}

/* With queue pairs left, the queue goes with the last of them. */
NATIVE(jint, destroyCQ, jlong h)
{
    UNUSED_JNI;
    return handle_close(KIND_CQ, h);
}

/*
 * The hottest path. On an error completion some providers leave the opcode as it is, and Java would read that of an earlier
 * poll, so it is set to 0 ("send") before (P17). That is done in batches, so that polling an empty queue touches little of
 * the buffer, however large it is.
 */
NATIVE(jint, pollCQ, jlong h, jint entries, jlong address)
{
    struct cq *cq = handle_acquire(KIND_CQ, h);
    struct ibv_wc *completions = at(address);
    int found = 0;
    int polled = 0;
    int error;

    (void)self;
    if (cq == NULL) {
        throw_not_open(env, KIND_CQ, h, "ibv_poll_cq");
        return NONE;
    }
    if (completions == NULL) {
        entries = 0;
    }
    while (found < entries) {
        int batch = entries - found < POLL_BATCH ? entries - found : POLL_BATCH;

        for (int i = 0; i < batch; i++) {
            completions[found + i].opcode = IBV_WC_SEND;
        }
        errno = 0; /* not all providers set it */
        polled = ibv_poll_cq(cq->verbs, batch, completions + found);
        if (polled > 0) {
            found += polled;
        }
        if (polled < batch) {
            break;
        }
    }
    error = errno; /* before another call changes it */
    handle_release(h);
    /* What was found before a failure is Java's; the failure comes again with the next poll. */
    if (found == 0 && polled < 0) {
        throw_errno(env, error != 0 ? error : EIO, "ibv_poll_cq (result %d)", polled);
        return NONE;
    }
    return found;
}

NATIVE(jint, reqNotifyCQ, jlong h, jint solicited_only)
{
    struct cq *cq = handle_acquire(KIND_CQ, h);
    int error;

    (void)self;
    if (cq == NULL) {
        throw_not_open(env, KIND_CQ, h, "ibv_req_notify_cq");
        return NONE;
    }
    error = errno_of(ibv_req_notify_cq(cq->verbs, solicited_only != 0));
    handle_release(h);
    if (error != 0) {
        throw_errno(env, error, "ibv_req_notify_cq");
    }
    return error;
}

/* Returns 0 for an event, -1 for none, or an errno value. */
static int next_cq_event(struct comp_channel *channel, deadline end)
{
    while (wait_readable(channel->verbs->fd, channel->wake_fd, end) == WAIT_READABLE) {
        struct ibv_cq *cq;
        void *context;
        int error;

        if (ibv_get_cq_event(channel->verbs, &cq, &context) == 0) {
            /* Here, not in ackCqEvent, whose caller need not know how many events there were (P4). */
            ibv_ack_cq_events(cq, 1);
            return 0;
        }
        error = errno_of(-1);
        if (error != EAGAIN && error != EINTR) {
            pause_after_failure(channel->wake_fd, end);
            return error;
        }
    }
    return NONE;
}

NATIVE(jint, getCqEvent, jlong h, jint timeout_ms)
{
    struct comp_channel *channel = handle_acquire(KIND_COMP_CHANNEL, h);
    int result;

    (void)self;
    if (channel == NULL) {
        throw_not_open(env, KIND_COMP_CHANNEL, h, "ibv_get_cq_event");
        return NONE;
    }
    result = next_cq_event(channel, deadline_after(timeout_ms));
    handle_release(h);
    if (result > 0) {
        throw_errno(env, result, "ibv_get_cq_event");
        return NONE;
    }
    return result;
}

/* Events are acknowledged when they are taken (P4). */
NATIVE(jint, ackCqEvent, jlong h, jint events)
{
    UNUSED_JNI;
    (void)events;
    if (handle_acquire(KIND_CQ, h) == NULL) {
        return NONE;
    }
    handle_release(h);
    return 0;
}
