/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "natives.h"
#include "objects.h"
#include "settings.h"
#include "waiting.h"

/*
 * Events of the connection manager. DiSNI's endpoints wait for ever when a connect fails, since they only log the events
 * that say so (P3). So a failure is kept in the id, and the endpoint gets an event that wakes it:
 *
 *   failed to resolve address or route -> ROUTE_RESOLVED: what the endpoint does next throws the failure
 *   failed to connect, device removed  -> DISCONNECTED:   the endpoint is closed, posting a send throws the failure
 *
 * (DISCONNECTED for the first two would make the endpoint's close destroy a queue pair that it does not have.)
 */

/* How often connections are looked at that are not answered. */
#define LOOK_MS 200

/* Reasons for a rejection, as InfiniBand numbers them. */
#define NOBODY_LISTENS 8
#define CONSUMER_REJECTED 28

static const char *reason(const struct rdma_cm_event *event, char *buffer, size_t bytes)
{
    if (event->status < 0) {
        return strerror_r(-event->status, buffer, bytes);
    }
    if (event->event == RDMA_CM_EVENT_REJECTED) {
        switch (event->status) {
        case NOBODY_LISTENS:
            return "nothing listens there";
        case CONSUMER_REJECTED:
            return "the peer refused it";
        default:
            return "see the reasons for rejection of InfiniBand";
        }
    }
    return event->event == RDMA_CM_EVENT_DEVICE_REMOVAL ? "the device was removed" : "no further reason";
}

/* Keeps the first failure of an id for the calls that come later; Java would not see any of this (P7). */
static void keep_failure(struct cm_id *id, enum failure failure, const char *what)
{
    const struct sockaddr_in *peer = (const struct sockaddr_in *)rdma_get_peer_addr(id->cm);
    char address[INET_ADDRSTRLEN] = "?";

    if (atomic_load(&id->failure) != NOT_FAILED) {
        return;
    }
    if (peer->sin_family == AF_INET) {
        (void)inet_ntop(AF_INET, &peer->sin_addr, address, sizeof(address));
    }
    (void)snprintf(id->failure_text, sizeof(id->failure_text), "connection with %s port %d: %s", address,
                   peer->sin_family == AF_INET ? ntohs(peer->sin_port) : 0, what);
    atomic_store(&id->failure, failure);
}

static void keep_event(struct cm_id *id, enum failure failure, const struct rdma_cm_event *event)
{
    char buffer[128];
    char text[192];

    (void)snprintf(text, sizeof(text), "%s, status %d (%s)", rdma_event_str(event->event), event->status,
                   reason(event, buffer, sizeof(buffer)));
    keep_failure(id, failure, text);
}

/* So that what is posted comes back. The queue pair cannot go meanwhile: destroying it needs the lock that is held here. */
static void flush(struct cm_id *id)
{
    struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_ERR};
    int error;

    if (id->cm->qp != NULL) {
        error = ibv_modify_qp(id->cm->qp, &attributes, IBV_QP_STATE);
        if (error != 0) {
            debug_log("ibv_modify_qp to the error state failed: errno %d", error);
        }
    }
}

/* The number that Java gets for an event of an id that it knows. */
static int number_for_java(struct cm_id *id, const struct rdma_cm_event *event)
{
    expect_nothing(id);
    switch (event->event) {
    case RDMA_CM_EVENT_ADDR_ERROR:
    case RDMA_CM_EVENT_ROUTE_ERROR:
        keep_event(id, FAILED_TO_RESOLVE, event);
        return RDMA_CM_EVENT_ROUTE_RESOLVED;
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
        if (id->listening) {
            return event->event;
        }
        /* fall through */
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
        keep_event(id, FAILED_TO_CONNECT, event);
        flush(id);
        return RDMA_CM_EVENT_DISCONNECTED;
    case RDMA_CM_EVENT_DISCONNECTED:
        if (settings.flush_on_disconnect || id->flushes) {
            (void)rdma_disconnect(id->cm);
        }
        return event->event;
    case RDMA_CM_EVENT_ESTABLISHED:
        if (atomic_load(&id->failure) != NOT_FAILED) {
            /* Too late: Java knows that it failed. */
            (void)rdma_disconnect(id->cm);
            return NONE;
        }
        return event->event;
    default:
        return event->event;
    }
}

/* Acknowledges an event and tells Java's number for it, or -1 if Java is to see nothing. The channel's lock is held. */
static int take(struct event_channel *channel, struct rdma_cm_event *event, handle *listener, handle *connection)
{
    struct rdma_cm_id *refused = NULL;
    int number = event->event;
    struct cm_id *id;

    debug_log("event %s, status %d", rdma_event_str(event->event), event->status);
    *listener = NONE;
    if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
        /* The new id comes with the listener's context, which is replaced. */
        *listener = ((struct cm_id *)event->listen_id->context)->self;
        id = adopt_cm_id(channel, event->id);
        if (id == NULL) {
            refused = event->id;
        }
    } else {
        id = event->id->context;
        if (id->listening && event->event == RDMA_CM_EVENT_DEVICE_REMOVAL) {
            /* The only event of a listener itself; DiSNI finds its endpoint by this name, and does no more than log it. */
            *listener = id->self;
        }
        if (!settings.raw_events) {
            number = number_for_java(id, event);
        }
    }
    *connection = id == NULL ? NONE : id->self;
    /* Here, not in ackCmEvent: Java passes only the event's number there, and the id's destruction waits for it (P1). */
    rdma_ack_cm_event(event);
    if (refused != NULL) {
        debug_log("connect request dropped: no memory, or the channel is being closed");
        rdma_destroy_id(refused);
        return NONE;
    }
    return number;
}

/*
 * A connect or an accept that the peer has not answered in time fails as if the kernel had said so, which takes a minute or
 * more to do that. Returns the number for Java, or -1 if none is overdue.
 */
static int fail_overdue(struct event_channel *channel, handle *listener, handle *connection)
{
    int number = NONE;

    pthread_mutex_lock(&channel->lock);
    for (struct cm_id *id = channel->pending == 0 ? NULL : channel->ids; id != NULL; id = id->next) {
        if (id->answer_by != 0 && is_over(id->answer_by) && !id->late) {
            /* The answer may have come in time and wait to be read, if it is this thread that is late. */
            id->late = true;
            id->answer_by = deadline_after(LOOK_MS);
        } else if (id->answer_by != 0 && is_over(id->answer_by)) {
            char text[64];

            (void)snprintf(text, sizeof(text), "no answer within %d ms", id->timeout_ms);
            expect_nothing(id);
            keep_failure(id, FAILED_TO_CONNECT, text);
            flush(id);
            *listener = NONE;
            *connection = id->self;
            number = RDMA_CM_EVENT_DISCONNECTED;
            break;
        }
    }
    pthread_mutex_unlock(&channel->lock);
    return number;
}

/* Returns the number for Java, or -1 with *error for a failure, or with 0 there if it is to be tried again. */
static int read_event(struct event_channel *channel, handle *listener, handle *connection, int *error)
{
    struct rdma_cm_event *event;
    int number = NONE;

    *error = 0;
    pthread_mutex_lock(&channel->lock);
    if (rdma_get_cm_event(channel->cm, &event) == 0) {
        number = take(channel, event, listener, connection);
    } else if (errno != EAGAIN && errno != EINTR) {
        *error = errno_of(-1);
    }
    pthread_mutex_unlock(&channel->lock);
    return number;
}

/* Returns the number for Java or -1. Looks for overdue connections first, however many events there are, and now and then. */
static int next_event(struct event_channel *channel, handle *listener, handle *connection, deadline end)
{
    for (;;) {
        deadline look = deadline_after(LOOK_MS);
        deadline until = end < look ? end : look;
        int number = settings.raw_events ? NONE : fail_overdue(channel, listener, connection);
        enum wait_result result;
        int error;

        if (number != NONE) {
            return number;
        }
        result = wait_readable(channel->cm->fd, channel->wake_fd, until);
        if (result == WAIT_READABLE) {
            number = read_event(channel, listener, connection, &error);
            if (error != 0) {
                debug_log("rdma_get_cm_event failed: errno %d", error);
                pause_after_failure(channel->wake_fd, end);
            }
            if (number != NONE || error != 0) {
                return number;
            }
        } else if (result != WAIT_TIMED_OUT || is_over(end)) {
            return NONE;
        }
    }
}

/*
 * A negative timeout waits until there is an event or the channel is closed (P13: DiSNI closes a channel only after it has
 * joined the thread that waits here, so groups should have a timeout).
 */
NATIVE(jint, getCmEvent, jlong h, jlong listener_slot, jlong connection_slot, jint timeout_ms)
{
    struct event_channel *channel = handle_acquire(KIND_EVENT_CHANNEL, h);
    deadline end = deadline_after(timeout_ms);
    handle listener = NONE;
    handle connection = NONE;
    int number;

    UNUSED_JNI;
    if (channel == NULL || listener_slot == 0 || connection_slot == 0) {
        if (channel != NULL) {
            handle_release(h);
        }
        pause_after_failure(-1, end);
        return NONE;
    }
    number = next_event(channel, &listener, &connection, end);
    handle_release(h);
    if (number != NONE) {
        memcpy(at(listener_slot), &listener, sizeof(listener));
        memcpy(at(connection_slot), &connection, sizeof(connection));
    }
    return number;
}

/* Events are acknowledged when they are taken (P1). */
NATIVE(jint, ackCmEvent, jint event)
{
    UNUSED_JNI;
    (void)event;
    return 0;
}
