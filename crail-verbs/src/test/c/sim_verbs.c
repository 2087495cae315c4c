/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jni.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "simulation.h"

#undef ibv_reg_mr

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device device = {.transport_type = IBV_TRANSPORT_IB, .name = "simulated0"};
static struct sim_mr *regions;
static uint32_t next_key = 0x100;
static uint32_t next_number = 1;

static _Atomic int objects;

static char failing_call[64];
static int failing_errno;
static int failing_after;

struct ibv_context sim_context = {
    .device = &device,
    .ops =
        {
            .poll_cq = sim_poll_cq,
            .req_notify_cq = sim_req_notify_cq,
            .post_send = sim_post_send,
            .post_recv = sim_post_recv,
        },
    .cmd_fd = 77,
    .num_comp_vectors = 2,
};

void sim_misuse(const char *what)
{
    fprintf(stderr, "simulated device: %s\n", what);
    abort();
}

void sim_lock(void)
{
    pthread_mutex_lock(&lock);
}

void sim_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* org.apache.crail.verbs.Simulation.fail: after so many that do not, a call of that name fails with that errno value. */
JNIEXPORT void JNICALL Java_org_apache_crail_verbs_Simulation_fail(
    JNIEnv *env, jclass type, jstring call, jint error, jint after)
{
    const char *name = (*env)->GetStringUTFChars(env, call, NULL);

    (void)type;
    if (name != NULL) {
        sim_lock();
        snprintf(failing_call, sizeof(failing_call), "%s", name);
        failing_errno = error;
        failing_after = after;
        sim_unlock();
        (*env)->ReleaseStringUTFChars(env, call, name);
    }
}

void *sim_alloc(size_t bytes)
{
    void *object = __real_calloc(1, bytes);

    if (object == NULL) {
        sim_misuse("there is no memory");
    }
    atomic_fetch_add(&objects, 1);
    return object;
}

void sim_free(void *object)
{
    atomic_fetch_sub(&objects, 1);
    __real_free(object);
}

/* org.apache.crail.verbs.Simulation.objects: how many have not been given back. */
JNIEXPORT jint JNICALL Java_org_apache_crail_verbs_Simulation_objects(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return atomic_load(&objects);
}

bool sim_fails(const char *call)
{
    bool fails;

    sim_lock();
    fails = failing_errno != 0 && strcmp(call, failing_call) == 0 && failing_after-- == 0;
    if (fails) {
        errno = failing_errno;
        failing_errno = 0;
    }
    sim_unlock();
    return fails;
}

/* org.apache.crail.verbs.Simulation.isToFail: whether no call has failed since a test asked for it. */
JNIEXPORT jboolean JNICALL Java_org_apache_crail_verbs_Simulation_isToFail(JNIEnv *env, jclass type)
{
    jboolean is_to;

    (void)env;
    (void)type;
    sim_lock();
    is_to = failing_errno != 0;
    sim_unlock();
    return is_to;
}

const char *ibv_get_device_name(struct ibv_device *of)
{
    return of->name;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes)
{
    (void)context;
    if (sim_fails("ibv_query_device")) {
        return errno;
    }
    memset(attributes, 0, sizeof(*attributes));
    attributes->max_sge = SIM_MAX_SGE;
    return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
    struct sim_pd *pd = sim_fails("ibv_alloc_pd") ? NULL : sim_alloc(sizeof(*pd));

    if (pd != NULL) {
        pd->pd.context = context;
        pd->pd.handle = next_number++;
    }
    return pd == NULL ? NULL : &pd->pd;
}

int ibv_dealloc_pd(struct ibv_pd *verbs)
{
    struct sim_pd *pd = (struct sim_pd *)verbs;

    if (pd->users != 0) {
        sim_misuse("a protection domain is deallocated while it is used");
    }
    sim_free(pd);
    return 0;
}

static bool is_mapped(uint64_t address, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t start = address / page * page;

    return msync((void *)(uintptr_t)start, address + bytes - start, MS_ASYNC) == 0;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t bytes, int access)
{
    struct sim_mr *mr;

    if (sim_fails("ibv_reg_mr")) {
        return NULL;
    }
    if (!is_mapped((uint64_t)(uintptr_t)address, bytes)) {
        errno = EFAULT;
        return NULL;
    }
    mr = sim_alloc(sizeof(*mr));
    sim_lock();
    mr->mr.context = pd->context;
    mr->mr.pd = pd;
    mr->mr.addr = address;
    mr->mr.length = bytes;
    mr->mr.handle = next_number++;
    mr->mr.lkey = mr->mr.rkey = next_key++;
    mr->access = access;
    mr->next = regions;
    regions = mr;
    ((struct sim_pd *)pd)->users++;
    sim_unlock();
    return &mr->mr;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t bytes, uint64_t iova, unsigned int access)
{
    (void)iova;
    return ibv_reg_mr(pd, address, bytes, (int)access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
    bool fails = sim_fails("ibv_dereg_mr");

    sim_lock();
    for (struct sim_mr **at = &regions; *at != NULL; at = &(*at)->next) {
        if (&(*at)->mr == mr) {
            *at = (*at)->next;
            break;
        }
    }
    ((struct sim_pd *)mr->pd)->users--;
    sim_free(mr);
    sim_unlock();
    return fails ? errno : 0;
}

struct sim_mr *sim_find_mr(const struct ibv_pd *pd, uint32_t key, uint64_t address, uint64_t bytes, int access)
{
    for (struct sim_mr *mr = regions; mr != NULL; mr = mr->next) {
        uint64_t start = (uint64_t)(uintptr_t)mr->mr.addr;

        if (mr->mr.pd == pd && mr->mr.rkey == key && (mr->access & access) == access && address >= start
            && address + bytes <= start + mr->mr.length) {
            return mr;
        }
    }
    return NULL;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
    struct sim_channel *channel = sim_fails("ibv_create_comp_channel") ? NULL : sim_alloc(sizeof(*channel));

    if (channel == NULL) {
        return NULL;
    }
    channel->channel.context = context;
    channel->channel.fd = __real_eventfd(0, EFD_SEMAPHORE);
    return &channel->channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
    if (channel->refcnt != 0) {
        sim_misuse("a completion channel is destroyed while a completion queue uses it");
    }
    close(channel->fd);
    sim_free(channel);
    return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *cq_context, struct ibv_comp_channel *channel,
                             int vector)
{
    struct sim_cq *cq;

    if (sim_fails("ibv_create_cq")) {
        return NULL;
    }
    if (entries > SIM_MAX_DEPTH || vector >= context->num_comp_vectors) {
        errno = EINVAL;
        return NULL;
    }
    cq = sim_alloc(sizeof(*cq));
    cq->entries = __real_calloc((size_t)entries, sizeof(*cq->entries));
    cq->cq.context = context;
    cq->cq.cq_context = cq_context;
    cq->cq.channel = channel;
    cq->cq.cqe = entries;
    sim_lock();
    channel->refcnt++;
    sim_unlock();
    return &cq->cq;
}

int ibv_destroy_cq(struct ibv_cq *verbs)
{
    struct sim_cq *cq = (struct sim_cq *)verbs;
    struct sim_channel *channel = (struct sim_channel *)verbs->channel;

    sim_lock();
    if (cq->users != 0) {
        sim_misuse("a completion queue is destroyed while a queue pair uses it");
    }
    if (cq->unacknowledged != 0) {
        sim_misuse("a completion queue is destroyed before its events are acknowledged");
    }
    for (int i = 0; i < channel->fired_count;) {
        uint64_t value;

        if (channel->fired[i] == cq) {
            channel->fired[i] = channel->fired[--channel->fired_count];
            (void)!read(channel->channel.fd, &value, sizeof(value));
        } else {
            i++;
        }
    }
    channel->channel.refcnt--;
    __real_free(cq->entries);
    sim_free(cq);
    sim_unlock();
    return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *verbs, struct ibv_cq **cq, void **cq_context)
{
    struct sim_channel *channel = (struct sim_channel *)verbs;
    uint64_t value;

    if (sim_fails("ibv_get_cq_event")) {
        return -1;
    }
    sim_lock();
    if (channel->fired_count == 0) {
        sim_unlock();
        errno = EAGAIN;
        return -1;
    }
    (void)!read(channel->channel.fd, &value, sizeof(value));
    *cq = &channel->fired[--channel->fired_count]->cq;
    *cq_context = (*cq)->cq_context;
    ((struct sim_cq *)*cq)->unacknowledged++;
    sim_unlock();
    return 0;
}

void ibv_ack_cq_events(struct ibv_cq *verbs, unsigned int events)
{
    struct sim_cq *cq = (struct sim_cq *)verbs;

    sim_lock();
    cq->unacknowledged -= (int)events;
    if (cq->unacknowledged < 0) {
        sim_misuse("more events are acknowledged than there were");
    }
    sim_unlock();
}

int sim_req_notify_cq(struct ibv_cq *verbs, int solicited_only)
{
    (void)solicited_only;
    if (sim_fails("ibv_req_notify_cq")) {
        return errno;
    }
    sim_lock();
    ((struct sim_cq *)verbs)->armed = true;
    sim_unlock();
    return 0;
}

void sim_add_completion(struct ibv_cq *verbs, const struct ibv_wc *completion)
{
    struct sim_cq *cq = (struct sim_cq *)verbs;
    struct sim_channel *channel = (struct sim_channel *)verbs->channel;
    uint64_t one = 1;

    if (cq->count < cq->cq.cqe) {
        cq->entries[(cq->head + cq->count++) % cq->cq.cqe] = *completion;
    }
    if (cq->armed) {
        cq->armed = false;
        channel->fired[channel->fired_count++] = cq;
        (void)!write(channel->channel.fd, &one, sizeof(one));
    }
}

/* As some drivers do, a completion with an error leaves the fields as they are that mean nothing then, opcode among them. */
int sim_poll_cq(struct ibv_cq *verbs, int entries, struct ibv_wc *completions)
{
    struct sim_cq *cq = (struct sim_cq *)verbs;
    int found = 0;

    if (sim_fails("ibv_poll_cq")) {
        return -errno;
    }
    sim_lock();
    for (; found < entries && cq->count > 0; found++) {
        const struct ibv_wc *next = &cq->entries[cq->head];

        if (next->status == IBV_WC_SUCCESS) {
            completions[found] = *next;
        } else {
            completions[found].wr_id = next->wr_id;
            completions[found].status = next->status;
        }
        cq->head = (cq->head + 1) % cq->cq.cqe;
        cq->count--;
    }
    sim_unlock();
    return found;
}
