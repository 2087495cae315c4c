/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRAIL_VERBS_OBJECTS_H
#define CRAIL_VERBS_OBJECTS_H

#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "handles.h"

/*
 * The objects behind the handles. What an object needs of others it holds references to, which its destructor drops; the
 * destructors run on whichever thread drops the last reference.
 */

/*
 * An event channel of the connection manager. Its lock serialises all calls of librdmacm for the channel and its ids: reading
 * an event changes the queue pair of its id inside librdmacm, which does not guard that against another thread that
 * destroys the queue pair. Nothing waits while it holds the lock, except for an answer of ibacm, which librdmacm asks for a
 * route where that daemon runs. It is recursive since a destructor may run under it.
 */
struct event_channel {
    handle self;
    struct rdma_event_channel *cm;
    int wake_fd;         /* becomes readable when the channel is closed, to end waits */
    pthread_mutex_t lock;
    struct cm_id *ids;   /* guarded by lock: all ids that are not destroyed */
    int pending;         /* guarded by lock: how many of them have an answer_by */
};

/* How far a connection got that failed. */
enum failure { NOT_FAILED, FAILED_TO_RESOLVE, FAILED_TO_CONNECT };

/* A connection, or a listener. Holds a reference to its channel. */
struct cm_id {
    handle self;
    struct rdma_cm_id *cm;         /* guarded by the channel's lock */
    struct event_channel *channel;
    handle qp;                     /* guarded by the channel's lock; 0 if there is none */
    bool closed;                   /* guarded by the channel's lock: gets no queue pair any more */
    bool listening;                /* guarded by the channel's lock */
    bool flushes;                  /* guarded by the channel's lock: what is posted comes back when the peer disconnects */
    int timeout_ms;                /* guarded by the channel's lock: how long the peer has for its answer */
    int64_t answer_by;             /* guarded by the channel's lock: a deadline while an answer is awaited, otherwise 0 */
    bool late;                     /* guarded by the channel's lock: the deadline was over and has been moved once */
    struct cm_id *previous, *next; /* guarded by the channel's lock */
    _Atomic int failure;           /* an enum failure; once set it stays */
    char failure_text[256];        /* written before failure is set */
};

/* A device, opened by librdmacm and shared by all ids on it. Never destroyed. */
struct context {
    handle self;
    struct ibv_context *verbs;
    struct rdma_cm_id *anchor; /* keeps librdmacm from closing the device when its last id goes */
    int max_sge;
    struct context *next;
};

struct pd {
    handle self;
    struct ibv_pd *verbs;
};

struct comp_channel {
    handle self;
    struct ibv_comp_channel *verbs;
    int wake_fd;
};

/* Holds a reference to its completion channel. */
struct cq {
    handle self;
    struct ibv_cq *verbs;
    handle channel;
};

/* Holds references to its id, its protection domain and its completion queues. */
struct qp {
    handle self;
    struct ibv_qp *verbs;
    struct cm_id *id;
    handle pd, send_cq, recv_cq;
};

/* Holds a reference to its protection domain. */
struct mr {
    handle self;
    struct ibv_mr *verbs;
    handle pd;
};

int destroy_event_channel(void *object);
int destroy_cm_id(void *object);
int destroy_pd(void *object);
int destroy_comp_channel(void *object);
int destroy_cq(void *object);
int destroy_qp(void *object);
int destroy_mr(void *object);

/* Wraps an id of librdmacm, which is destroyed on failure. The channel's lock is held. Returns NULL and sets errno on failure. */
struct cm_id *adopt_cm_id(struct event_channel *channel, struct rdma_cm_id *cm);

/* Begins or ends the wait for the peer's answer to a connect or accept. The channel's lock is held. */
void expect_answer(struct cm_id *id);
void expect_nothing(struct cm_id *id);

/* Closes the queue pair of an id, if it has an open one. Returns -1 if not. */
int close_qp_of(struct cm_id *id);

/* Closes an id and its queue pair. Returns -1 if it was closed before. */
int close_cm_id(handle id);

/* The context of a device, made when it is asked for the first time. Returns NULL and sets errno on failure. */
struct context *context_of(struct rdma_cm_id *cm);

#endif
