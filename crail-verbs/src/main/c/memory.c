/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "natives.h"
#include "objects.h"

/* Protection domains and memory regions. Registered memory stays Java's, which has to keep it while it is registered (P33). */

int destroy_pd(void *object)
{
    struct pd *pd = object;
    int error = errno_of(ibv_dealloc_pd(pd->verbs));

    free(pd);
    return error;
}

NATIVE(jlong, allocPd, jlong h)
{
    struct context *context = handle_acquire(KIND_CONTEXT, h);
    struct pd *pd;
    int error = ENOMEM;

    (void)self;
    if (context == NULL) {
        throw_not_open(env, KIND_CONTEXT, h, "ibv_alloc_pd");
        return NONE;
    }
    pd = calloc(1, sizeof(*pd));
    if (pd != NULL) {
        pd->verbs = ibv_alloc_pd(context->verbs);
        if (pd->verbs == NULL) {
            error = errno_of(-1);
        } else {
            pd->self = handle_create(KIND_PD, pd);
            if (pd->self == 0) {
                ibv_dealloc_pd(pd->verbs);
            }
        }
    }
    handle_release(h);
    if (pd == NULL || pd->self == 0) {
        free(pd);
        throw_errno(env, error, "ibv_alloc_pd");
        return NONE;
    }
    return pd->self;
}

/* With memory regions or queue pairs left, the domain goes with the last of them. */
NATIVE(jint, deallocPd, jlong h)
{
    UNUSED_JNI;
    return handle_close(KIND_PD, h);
}

NATIVE(jint, getPdHandle, jlong h)
{
    struct pd *pd = handle_acquire(KIND_PD, h);
    jint number;

    (void)self;
    if (pd == NULL) {
        throw_not_open(env, KIND_PD, h, "getPdHandle");
        return NONE;
    }
    number = (jint)pd->verbs->handle;
    handle_release(h);
    return number;
}

int destroy_mr(void *object)
{
    struct mr *mr = object;
    int error = errno_of(ibv_dereg_mr(mr->verbs));

    handle_release(mr->pd);
    free(mr);
    return error;
}

static void throw_registration(JNIEnv *env, jlong address, jint bytes, int access, int error)
{
    struct rlimit limit;

    if (error == ENOMEM && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        throw_errno(env, error,
                    "ibv_reg_mr of %d bytes, with a limit on locked memory of %llu bytes (raise it: ulimit -l unlimited),",
                    bytes, (unsigned long long)limit.rlim_cur);
    } else {
        throw_errno(env, error, "ibv_reg_mr of %d bytes at 0x%llx with access 0x%x", bytes, (unsigned long long)address,
                    (unsigned)access);
    }
}

/* Takes over the reference to the domain. Returns 0 or an errno value. */
static int registered(handle pd, struct ibv_mr *verbs, struct mr **result)
{
    struct mr *mr = calloc(1, sizeof(*mr));

    if (mr != NULL) {
        mr->verbs = verbs;
        mr->pd = pd;
        mr->self = handle_create(KIND_MR, mr);
    }
    if (mr == NULL || mr->self == 0) {
        free(mr);
        ibv_dereg_mr(verbs);
        handle_release(pd);
        return ENOMEM;
    }
    *result = mr;
    return 0;
}

/* A negative length would become a huge one in C (P18). */
NATIVE(jlong, regMr, jlong h, jlong address, jint bytes, jint access, jlong lkey, jlong rkey, jlong number)
{
    struct pd *pd = handle_acquire(KIND_PD, h);
    struct ibv_mr *verbs = NULL;
    struct mr *mr = NULL;
    int error = EINVAL;

    (void)self;
    if (pd == NULL) {
        throw_not_open(env, KIND_PD, h, "ibv_reg_mr");
        return NONE;
    }
    if (address != 0 && bytes > 0 && lkey != 0 && rkey != 0 && number != 0) {
        verbs = ibv_reg_mr(pd->verbs, at(address), (size_t)bytes, (unsigned)access);
        error = verbs == NULL ? errno_of(-1) : 0;
    }
    if (verbs == NULL) {
        handle_release(h);
    } else {
        error = registered(h, verbs, &mr);
    }
    if (error != 0) {
        throw_registration(env, address, bytes, access, error);
        return NONE;
    }
    memcpy(at(lkey), &verbs->lkey, sizeof(verbs->lkey));
    memcpy(at(rkey), &verbs->rkey, sizeof(verbs->rkey));
    memcpy(at(number), &verbs->handle, sizeof(verbs->handle));
    return mr->self;
}

NATIVE(void, deregMr, jlong h)
{
    int error = handle_close(KIND_MR, h);

    (void)self;
    if (error < 0) {
        throw_not_open(env, KIND_MR, h, "ibv_dereg_mr");
    } else if (error > 0) {
        throw_errno(env, error, "ibv_dereg_mr");
    }
}

NATIVE(jint, expPrefetchMr, jlong h, jlong address, jint bytes)
{
    struct mr *mr = handle_acquire(KIND_MR, h);
    struct ibv_sge range;
    int error = EINVAL;

    (void)self;
    if (mr == NULL) {
        throw_not_open(env, KIND_MR, h, "ibv_advise_mr");
        return NONE;
    }
    if (bytes > 0) {
        range = (struct ibv_sge){.addr = (uint64_t)address, .length = (uint32_t)bytes, .lkey = mr->verbs->lkey};
        error = errno_of(ibv_advise_mr(mr->verbs->pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, 0, &range, 1));
    }
    handle_release(h);
    if (error != 0) {
        throw_errno(env, error, "ibv_advise_mr of %d bytes at 0x%llx", bytes, (unsigned long long)address);
        return NONE;
    }
    return 0;
}
