/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRAIL_VERBS_HANDLES_H
#define CRAIL_VERBS_HANDLES_H

#include <stdint.h>

/*
 * What Java holds instead of pointers. A handle is a positive number that is never used twice: kind, generation and place
 * in a table. A handle that was closed, or that never was one, is told apart from a live one without touching freed memory
 * (pitfalls P5 and P6), so a late call fails instead of crashing.
 *
 * Ownership: whoever creates an object owns it through its handle and gives it up with handle_close. Calls that are under
 * way and objects that depend on it (a queue pair on its protection domain) each hold a reference. The C object is destroyed
 * by whoever drops the last reference, so destroying in any order is safe: what is still needed goes later (P2, P26).
 *
 * Threads: every function may be called by any thread at any time. Acquiring and releasing take one atomic operation each
 * and no lock; creating and destroying take a short lock.
 */
typedef int64_t handle;

enum kind {
    KIND_EVENT_CHANNEL = 1,
    KIND_CM_ID,
    KIND_CONTEXT,
    KIND_PD,
    KIND_COMP_CHANNEL,
    KIND_CQ,
    KIND_QP,
    KIND_MR,
    KIND_COUNT
};

/* Destroys a C object after its last reference is gone. Returns 0 or an errno value. */
typedef int (*destructor)(void *object);

/* Each kind's destructor, defined in kinds.c; NULL where objects are never destroyed. */
extern const destructor destructors[KIND_COUNT];

/* Each kind's name for messages. */
extern const char *const kind_names[KIND_COUNT];

/* Makes a handle with one reference, the owner's. Returns 0 if there is no memory or no place left. */
handle handle_create(enum kind kind, void *object);

/* Takes a reference. Returns the object, or NULL if this is no handle of an open object of that kind. */
void *handle_acquire(enum kind kind, handle h);

/* Drops a reference that was acquired. Returns 0, or what the destructor returned if this was the last one. */
int handle_release(handle h);

/*
 * Closes a handle: acquiring fails from now on, and the owner's reference is dropped. Returns -1 if this was no handle of an
 * open object of that kind, otherwise 0 or what the destructor returned if it could run at once.
 */
int handle_close(enum kind kind, handle h);

/* How many objects of a kind there are, closed ones that are not destroyed yet included. */
int32_t handle_count(enum kind kind);

#endif
