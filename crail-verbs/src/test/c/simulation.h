/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRAIL_VERBS_SIMULATION_H
#define CRAIL_VERBS_SIMULATION_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>

/*
 * Stands in for libibverbs and librdmacm in tests: one device, "simulated0", on 127.0.0.1, whose connections join ends in this
 * process. Where the real libraries would wait for ever or follow a dangling pointer, it ends the process with a message;
 * all it hands out is allocated, so that AddressSanitizer sees what is used too late.
 *
 * One lock guards everything; functions that do not say otherwise take it.
 */

/* Ends the process: the library under test did what would hang or crash with the real libraries. */
void sim_misuse(const char *what) __attribute__((noreturn));

void sim_lock(void);
void sim_unlock(void);

/* Memory, all zeros, of an object that the library under test has to give back; they are counted. */
void *sim_alloc(size_t bytes);
void sim_free(void *object);

/* Whether this call is to fail, since a test asked for it; errno is set then. */
bool sim_fails(const char *call);

/*
 * The C library and handles.c without the failures that tests ask for: the library under test is linked so that its calls of
 * them come to the simulation first. Only what the library itself allocates is counted.
 */
void *__real_calloc(size_t count, size_t bytes);
void __real_free(void *memory);
int __real_eventfd(unsigned int value, int flags);

/* The device, and how many elements its requests may have. */
extern struct ibv_context sim_context;
#define SIM_MAX_SGE 2
#define SIM_MAX_DEPTH 16384

struct sim_pd {
    struct ibv_pd pd;
    int users;
};

struct sim_mr {
    struct ibv_mr mr;
    int access;
    struct sim_mr *next;
};

struct sim_channel {
    struct ibv_comp_channel channel;
    struct sim_cq *fired[256];
    int fired_count;
};

struct sim_cq {
    struct ibv_cq cq;
    int users;
    bool armed;
    int unacknowledged;
    struct ibv_wc *entries;
    int head, count;
};

struct sim_receive {
    uint64_t wr_id;
    struct ibv_sge sge;
    int num_sge;
};

struct sim_qp {
    struct ibv_qp qp;
    struct ibv_qp_cap cap;
    struct sim_qp *peer; /* once connected */
    struct sim_receive *receives;
    uint32_t receive_head, receive_count;
};

/* The lock is held for these. */
struct sim_qp *sim_make_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attributes);
void sim_free_qp(struct sim_qp *qp);
void sim_break(struct sim_qp *qp);
void sim_add_completion(struct ibv_cq *cq, const struct ibv_wc *completion);
struct sim_mr *sim_find_mr(const struct ibv_pd *pd, uint32_t key, uint64_t address, uint64_t bytes, int access);
int sim_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
int sim_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int sim_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *completions);
int sim_req_notify_cq(struct ibv_cq *cq, int solicited_only);

#endif
