/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "natives.h"
#include "objects.h"
#include "waiting.h"

/* Event channels of the connection manager. */

static int init_recursive(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);

    if (error == 0) {
        error = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    }
    return error == 0 ? pthread_mutex_init(lock, &attributes) : error;
}

int destroy_event_channel(void *object)
{
    struct event_channel *channel = object;

    if (channel->cm != NULL) {
        rdma_destroy_event_channel(channel->cm);
    }
    if (channel->wake_fd >= 0) {
        close(channel->wake_fd);
    }
    pthread_mutex_destroy(&channel->lock);
    free(channel);
    return 0;
}

/* Returns NULL if all is well, otherwise the call that failed, with its errno value in *error. */
static const char *open_channel(struct event_channel *channel, int *error)
{
    channel->cm = rdma_create_event_channel();
    if (channel->cm == NULL) {
        *error = errno_of(-1);
        return "rdma_create_event_channel";
    }
    channel->wake_fd = wake_create();
    if (channel->wake_fd < 0) {
        *error = errno;
        return "eventfd";
    }
    /* An event that another thread has taken must not make this one wait in read (P32). */
    if (make_nonblocking(channel->cm->fd) != 0) {
        *error = errno;
        return "fcntl(O_NONBLOCK)";
    }
    channel->self = handle_create(KIND_EVENT_CHANNEL, channel);
    *error = ENOMEM;
    return channel->self == 0 ? "handle_create" : NULL;
}

NATIVE(jlong, createEventChannel)
{
    struct event_channel *channel = calloc(1, sizeof(*channel));
    const char *failed;
    int error;

    (void)self;
    if (channel == NULL) {
        throw_errno(env, ENOMEM, "malloc");
        return NONE;
    }
    channel->wake_fd = -1;
    error = init_recursive(&channel->lock);
    if (error != 0) {
        free(channel);
        throw_errno(env, error, "pthread_mutex_init");
        return NONE;
    }
    failed = open_channel(channel, &error);
    if (failed == NULL) {
        return channel->self;
    }
    destroy_event_channel(channel);
    throw_errno(env, error, "%s%s", failed, error == ENODEV ? " (no RDMA device, or modprobe rdma_ucm is needed)" : "");
    return NONE;
}

/*
 * Closes the ids that are left as well, so that what is called on them later returns -1 instead of using a channel that
 * is gone (P11); the channel itself is destroyed with the last of them. A wait for events ends. A group of DiSNI that is closed
 * before its init does not get here (P27).
 */
NATIVE(jint, destroyEventChannel, jlong h)
{
    struct event_channel *channel = handle_acquire(KIND_EVENT_CHANNEL, h);

    UNUSED_JNI;
    if (channel == NULL) {
        return NONE;
    }
    if (handle_close(KIND_EVENT_CHANNEL, h) != 0) {
        handle_release(h);
        return NONE;
    }
    wake_all(channel->wake_fd);
    pthread_mutex_lock(&channel->lock);
    for (struct cm_id *id = channel->ids, *next; id != NULL; id = next) {
        next = id->next;
        close_cm_id(id->self);
    }
    pthread_mutex_unlock(&channel->lock);
    handle_release(h);
    return 0;
}
