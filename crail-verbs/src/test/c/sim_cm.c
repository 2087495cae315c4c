/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jni.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "simulation.h"

/*
 * The connection manager. Addresses: 127.0.0.1 is the device; the rest of 127.0.0.0/8 cannot be resolved; to all others no
 * route leads. Ports: the route to port 2 cannot be resolved, port 3 never answers.
 */

#define NO_ROUTE_PORT 2
#define SILENT_PORT 3
#define NOBODY_LISTENS 8
#define CONSUMER_REJECTED 28

enum state { IDLE, BOUND, LISTENING, RESOLVED, CONNECTING, REQUESTED, ACCEPTED, CONNECTED, DISCONNECTED };

struct sim_id {
    struct rdma_cm_id id;
    enum state state;
    struct sim_id *peer;
    struct sim_id *listener; /* of a request that is not taken yet */
    bool taken;              /* a request has been given to the program */
    int unacknowledged;
    struct sim_id *next;
};

struct sim_event {
    struct rdma_cm_event event;
    struct sim_id *counted; /* whose acknowledgement is awaited */
    struct sim_event *next;
};

struct sim_cm_channel {
    struct rdma_event_channel channel;
    struct sim_event *first;
    int ids;
};

static struct sim_id *ids;
static uint16_t next_port = 40000;
static struct {
    uint8_t retry_count, rnr_retry_count;
} asked;

static struct sim_cm_channel *channel_of(struct sim_id *id)
{
    return (struct sim_cm_channel *)id->id.channel;
}

static struct sockaddr_in *local_of(struct sim_id *id)
{
    return (struct sockaddr_in *)&id->id.route.addr.src_addr;
}

static struct sockaddr_in *peer_of(struct sim_id *id)
{
    return (struct sockaddr_in *)&id->id.route.addr.dst_addr;
}

static void push(struct sim_id *id, enum rdma_cm_event_type type, int status)
{
    struct sim_event *event = sim_alloc(sizeof(*event));
    struct sim_event **at = &channel_of(id)->first;
    uint64_t one = 1;

    event->event.id = &id->id;
    event->event.event = type;
    event->event.status = status;
    event->counted = id;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = event;
    (void)!write(channel_of(id)->channel.fd, &one, sizeof(one));
}

/* org.apache.crail.verbs.Simulation.removeDevice: the program has to close what it has on the device. */
JNIEXPORT void JNICALL Java_org_apache_crail_verbs_Simulation_removeDevice(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    sim_lock();
    for (struct sim_id *id = ids; id != NULL; id = id->next) {
        if (id->id.verbs != NULL && id->id.channel->fd >= 0) {
            push(id, RDMA_CM_EVENT_DEVICE_REMOVAL, 0);
        }
    }
    sim_unlock();
}

static void drop_events(struct sim_id *id)
{
    struct sim_event **at = &channel_of(id)->first;

    while (*at != NULL) {
        struct sim_event *event = *at;
        uint64_t value;

        if (event->counted == id || event->event.id == &id->id) {
            *at = event->next;
            (void)!read(channel_of(id)->channel.fd, &value, sizeof(value));
            sim_free(event);
        } else {
            at = &event->next;
        }
    }
}

static void break_qp(struct sim_id *id)
{
    if (id->id.qp != NULL) {
        sim_break((struct sim_qp *)id->id.qp);
    }
}

struct rdma_event_channel *rdma_create_event_channel(void)
{
    struct sim_cm_channel *channel = sim_fails("rdma_create_event_channel") ? NULL : sim_alloc(sizeof(*channel));

    if (channel == NULL) {
        return NULL;
    }
    channel->channel.fd = __real_eventfd(0, EFD_SEMAPHORE);
    return &channel->channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
    if (((struct sim_cm_channel *)channel)->ids != 0) {
        sim_misuse("an event channel is destroyed before its ids");
    }
    close(channel->fd);
    sim_free(channel);
}

/* Without the lock. */
static struct sim_id *new_id(struct rdma_event_channel *channel, void *context)
{
    struct sim_id *id = sim_alloc(sizeof(*id));

    id->id.channel = channel;
    id->id.context = context;
    id->id.ps = RDMA_PS_TCP;
    id->next = ids;
    ids = id;
    channel_of(id)->ids++;
    return id;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context, enum rdma_port_space ps)
{
    static struct rdma_event_channel *synchronous;

    (void)ps;
    if (sim_fails("rdma_create_id")) {
        return -1;
    }
    sim_lock();
    if (channel == NULL && synchronous == NULL) {
        struct sim_cm_channel *made = sim_alloc(sizeof(*made));

        made->channel.fd = -1;
        synchronous = &made->channel;
    }
    *id = &new_id(channel == NULL ? synchronous : channel, context)->id;
    sim_unlock();
    return 0;
}

static struct sim_id *find_by_port(in_port_t port, bool listening)
{
    for (struct sim_id *id = ids; id != NULL; id = id->next) {
        if (local_of(id)->sin_port == port && id->state != IDLE && (!listening || id->state == LISTENING)) {
            return id;
        }
    }
    return NULL;
}

int rdma_bind_addr(struct rdma_cm_id *verbs, struct sockaddr *address)
{
    struct sim_id *id = (struct sim_id *)verbs;
    struct sockaddr_in *local = (struct sockaddr_in *)address;
    int error = 0;

    if (sim_fails("rdma_bind_addr")) {
        return -1;
    }
    for (size_t i = 0; i < sizeof(local->sin_zero); i++) {
        if (local->sin_zero[i] != 0) {
            sim_misuse("garbage behind an address");
        }
    }
    sim_lock();
    if (local->sin_addr.s_addr != htonl(INADDR_LOOPBACK) && local->sin_addr.s_addr != htonl(INADDR_ANY)) {
        error = EADDRNOTAVAIL;
    } else if (id->state != IDLE) {
        error = EINVAL;
    } else if (local->sin_port != 0 && find_by_port(local->sin_port, false) != NULL) {
        error = EADDRINUSE;
    } else {
        *local_of(id) = *local;
        if (local->sin_port == 0) {
            local_of(id)->sin_port = htons(next_port++);
        }
        id->id.verbs = local->sin_addr.s_addr == htonl(INADDR_ANY) ? NULL : &sim_context;
        id->state = BOUND;
    }
    sim_unlock();
    errno = error;
    return error == 0 ? 0 : -1;
}

int rdma_listen(struct rdma_cm_id *verbs, int backlog)
{
    struct sim_id *id = (struct sim_id *)verbs;

    (void)backlog;
    if (sim_fails("rdma_listen")) {
        return -1;
    }
    sim_lock();
    id->state = LISTENING;
    sim_unlock();
    return 0;
}

int rdma_resolve_addr(struct rdma_cm_id *verbs, struct sockaddr *source, struct sockaddr *destination, int timeout_ms)
{
    struct sim_id *id = (struct sim_id *)verbs;
    struct sockaddr_in *peer = (struct sockaddr_in *)destination;

    (void)source;
    (void)timeout_ms;
    if (sim_fails("rdma_resolve_addr")) {
        return -1;
    }
    if (ntohl(peer->sin_addr.s_addr) >> 24 != IN_LOOPBACKNET) {
        errno = ENETUNREACH;
        return -1;
    }
    sim_lock();
    *peer_of(id) = *peer;
    if (peer->sin_addr.s_addr != htonl(INADDR_LOOPBACK)) {
        push(id, RDMA_CM_EVENT_ADDR_ERROR, -EHOSTUNREACH);
    } else {
        *local_of(id) = *peer;
        local_of(id)->sin_port = htons(next_port++);
        id->id.verbs = &sim_context;
        id->state = RESOLVED;
        push(id, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    }
    sim_unlock();
    return 0;
}

int rdma_resolve_route(struct rdma_cm_id *verbs, int timeout_ms)
{
    struct sim_id *id = (struct sim_id *)verbs;

    (void)timeout_ms;
    if (verbs->verbs == NULL) {
        sim_misuse("rdma_resolve_route without a device");
    }
    if (sim_fails("rdma_resolve_route")) {
        return -1;
    }
    sim_lock();
    if (peer_of(id)->sin_port == htons(NO_ROUTE_PORT)) {
        push(id, RDMA_CM_EVENT_ROUTE_ERROR, -ETIMEDOUT);
    } else {
        push(id, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    }
    sim_unlock();
    return 0;
}

int rdma_create_qp(struct rdma_cm_id *verbs, struct ibv_pd *pd, struct ibv_qp_init_attr *attributes)
{
    const struct ibv_qp_cap *cap = &attributes->cap;

    if (sim_fails("rdma_create_qp")) {
        return -1;
    }
    if (cap->max_send_wr > SIM_MAX_DEPTH || cap->max_recv_wr > SIM_MAX_DEPTH || cap->max_send_sge > SIM_MAX_SGE
        || cap->max_recv_sge > SIM_MAX_SGE || verbs->verbs != pd->context || verbs->qp != NULL) {
        errno = EINVAL;
        return -1;
    }
    sim_lock();
    verbs->qp = &sim_make_qp(pd, attributes)->qp;
    sim_unlock();
    return 0;
}

void rdma_destroy_qp(struct rdma_cm_id *verbs)
{
    sim_lock();
    sim_free_qp((struct sim_qp *)verbs->qp);
    verbs->qp = NULL;
    sim_unlock();
}

static void reject(struct sim_id *id, int status)
{
    id->peer = NULL;
    id->state = DISCONNECTED;
    push(id, RDMA_CM_EVENT_REJECTED, status);
}

/* The id of the request is made now, but given to the program with the event. */
static void request(struct sim_id *client, struct sim_id *listener)
{
    struct sim_id *server = new_id(listener->id.channel, listener->id.context);

    server->id.verbs = &sim_context;
    *local_of(server) = *peer_of(client);
    *peer_of(server) = *local_of(client);
    local_of(server)->sin_port = 0; /* the listener's port is not taken twice */
    server->state = REQUESTED;
    server->listener = listener;
    server->peer = client;
    client->peer = server;
    push(listener, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    for (struct sim_event *event = channel_of(listener)->first; event != NULL; event = event->next) {
        if (event->next == NULL) {
            event->event.id = &server->id;
            event->event.listen_id = &listener->id;
        }
    }
}

static void note_retries(const struct rdma_conn_param *param)
{
    sim_lock();
    asked.retry_count = param->retry_count;
    asked.rnr_retry_count = param->rnr_retry_count;
    sim_unlock();
}

/* org.apache.crail.verbs.Simulation.retryCounts: 16 times that of the last connect or accept, plus that for receives. */
JNIEXPORT jint JNICALL Java_org_apache_crail_verbs_Simulation_retryCounts(JNIEnv *env, jclass type)
{
    jint counts;

    (void)env;
    (void)type;
    sim_lock();
    counts = asked.retry_count * 16 + asked.rnr_retry_count;
    sim_unlock();
    return counts;
}

/* org.apache.crail.verbs.Simulation.useFamily: the addresses of all ids are of this family from now on. */
JNIEXPORT void JNICALL Java_org_apache_crail_verbs_Simulation_useFamily(JNIEnv *env, jclass type, jint family)
{
    (void)env;
    (void)type;
    sim_lock();
    for (struct sim_id *id = ids; id != NULL; id = id->next) {
        local_of(id)->sin_family = peer_of(id)->sin_family = (sa_family_t)family;
    }
    sim_unlock();
}

int rdma_connect(struct rdma_cm_id *verbs, struct rdma_conn_param *param)
{
    struct sim_id *id = (struct sim_id *)verbs;
    struct sim_id *listener;

    if (verbs->verbs == NULL || verbs->qp == NULL) {
        sim_misuse("rdma_connect too early");
    }
    if (param->initiator_depth != RDMA_MAX_INIT_DEPTH || param->responder_resources != RDMA_MAX_RESP_RES) {
        sim_misuse("rdma_connect without the device's depths");
    }
    note_retries(param);
    if (sim_fails("rdma_connect")) {
        return -1;
    }
    sim_lock();
    id->state = CONNECTING;
    listener = find_by_port(peer_of(id)->sin_port, true);
    if (listener != NULL) {
        request(id, listener);
    } else if (peer_of(id)->sin_port != htons(SILENT_PORT)) {
        reject(id, NOBODY_LISTENS);
        break_qp(id);
    }
    sim_unlock();
    return 0;
}

int rdma_accept(struct rdma_cm_id *verbs, struct rdma_conn_param *param)
{
    struct sim_id *id = (struct sim_id *)verbs;
    struct sim_id *client;

    if (verbs->verbs == NULL || verbs->qp == NULL) {
        sim_misuse("rdma_accept too early");
    }
    note_retries(param);
    if (sim_fails("rdma_accept")) {
        return -1;
    }
    sim_lock();
    client = id->peer;
    if (client == NULL || client->id.qp == NULL || client->id.qp->state == IBV_QPS_ERR) {
        push(id, RDMA_CM_EVENT_CONNECT_ERROR, -ECONNRESET);
    } else {
        struct sim_qp *here = (struct sim_qp *)id->id.qp;
        struct sim_qp *there = (struct sim_qp *)client->id.qp;

        here->peer = there;
        there->peer = here;
        here->qp.state = IBV_QPS_RTS;
        id->state = client->state = CONNECTED;
        push(client, RDMA_CM_EVENT_ESTABLISHED, 0);
        push(id, RDMA_CM_EVENT_ESTABLISHED, 0);
    }
    sim_unlock();
    return 0;
}

static void tell_disconnect(struct sim_id *id)
{
    if (id->peer != NULL && (id->peer->state == CONNECTED || id->peer->state == DISCONNECTED)) {
        push(id->peer, RDMA_CM_EVENT_DISCONNECTED, 0);
    }
}

int rdma_disconnect(struct rdma_cm_id *verbs)
{
    struct sim_id *id = (struct sim_id *)verbs;

    sim_lock();
    if (id->state != CONNECTED) {
        sim_unlock();
        errno = EINVAL;
        return -1;
    }
    break_qp(id);
    tell_disconnect(id);
    id->state = DISCONNECTED;
    sim_unlock();
    return 0;
}

static void forget(struct sim_id *id)
{
    for (struct sim_id *other = ids; other != NULL; other = other->next) {
        if (other->peer == id) {
            other->peer = NULL;
        }
    }
    for (struct sim_id **at = &ids; *at != NULL; at = &(*at)->next) {
        if (*at == id) {
            *at = id->next;
            break;
        }
    }
    channel_of(id)->ids--;
    sim_free(id);
}

/* Requests that nobody has taken go with their listener. */
static void refuse_requests(struct sim_id *listener)
{
    struct sim_id *next;

    for (struct sim_id *id = ids; id != NULL; id = next) {
        next = id->next;
        if (id->listener == listener && !id->taken) {
            if (id->peer != NULL) {
                reject(id->peer, NOBODY_LISTENS);
            }
            forget(id);
            next = ids;
        }
    }
}

int rdma_destroy_id(struct rdma_cm_id *verbs)
{
    struct sim_id *id = (struct sim_id *)verbs;

    sim_lock();
    if (id->id.qp != NULL) {
        sim_misuse("an id is destroyed before its queue pair");
    }
    if (id->unacknowledged != 0) {
        sim_misuse("an id is destroyed before its events are acknowledged");
    }
    if (id->state == CONNECTED) {
        tell_disconnect(id);
    } else if (id->state == REQUESTED && id->peer != NULL) {
        reject(id->peer, CONSUMER_REJECTED);
    }
    drop_events(id);
    refuse_requests(id);
    forget(id);
    sim_unlock();
    return 0;
}

int rdma_get_cm_event(struct rdma_event_channel *verbs, struct rdma_cm_event **result)
{
    struct sim_cm_channel *channel = (struct sim_cm_channel *)verbs;
    struct sim_event *event;
    struct sim_id *id;
    uint64_t value;

    if (sim_fails("rdma_get_cm_event")) {
        return -1;
    }
    sim_lock();
    event = channel->first;
    if (event == NULL) {
        sim_unlock();
        errno = EAGAIN;
        return -1;
    }
    channel->first = event->next;
    (void)!read(channel->channel.fd, &value, sizeof(value));
    id = (struct sim_id *)event->event.id;
    event->counted->unacknowledged++;
    if (event->event.event == RDMA_CM_EVENT_CONNECT_REQUEST) {
        id->taken = true;
    }
    /* As the real one does, the queue pair is changed here. */
    if (event->event.event == RDMA_CM_EVENT_ESTABLISHED && id->id.qp != NULL && id->id.qp->state == IBV_QPS_INIT) {
        id->id.qp->state = IBV_QPS_RTS;
    }
    *result = &event->event;
    sim_unlock();
    return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *verbs)
{
    struct sim_event *event = (struct sim_event *)verbs;

    sim_lock();
    event->counted->unacknowledged--;
    sim_free(event);
    sim_unlock();
    return 0;
}

const char *rdma_event_str(enum rdma_cm_event_type event)
{
    static const char *const names[] = {
        "RDMA_CM_EVENT_ADDR_RESOLVED",   "RDMA_CM_EVENT_ADDR_ERROR",       "RDMA_CM_EVENT_ROUTE_RESOLVED",
        "RDMA_CM_EVENT_ROUTE_ERROR",     "RDMA_CM_EVENT_CONNECT_REQUEST",  "RDMA_CM_EVENT_CONNECT_RESPONSE",
        "RDMA_CM_EVENT_CONNECT_ERROR",   "RDMA_CM_EVENT_UNREACHABLE",      "RDMA_CM_EVENT_REJECTED",
        "RDMA_CM_EVENT_ESTABLISHED",     "RDMA_CM_EVENT_DISCONNECTED",     "RDMA_CM_EVENT_DEVICE_REMOVAL",
    };

    return (size_t)event < sizeof(names) / sizeof(names[0]) ? names[event] : "unknown event";
}
