/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <jni.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "handles.h"
#include "simulation.h"

/* What the library under test gets of the C library and of its own table of handles. */

void *__wrap_calloc(size_t count, size_t bytes);
void __wrap_free(void *memory);
int __wrap_eventfd(unsigned int value, int flags);
int __wrap_fcntl(int fd, int command, ...);
handle __wrap_handle_create(enum kind kind, void *object);
int __real_fcntl(int fd, int command, ...);
handle __real_handle_create(enum kind kind, void *object);

static _Atomic int allocations;

/* org.apache.crail.verbs.Simulation.allocations: pieces of memory that the library has not freed. */
JNIEXPORT jint JNICALL Java_org_apache_crail_verbs_Simulation_allocations(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return atomic_load(&allocations);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *memory = sim_fails("calloc") ? NULL : __real_calloc(count, bytes);

    if (memory != NULL) {
        atomic_fetch_add(&allocations, 1);
    }
    return memory;
}

void __wrap_free(void *memory)
{
    if (memory != NULL) {
        atomic_fetch_sub(&allocations, 1);
    }
    __real_free(memory);
}

int __wrap_eventfd(unsigned int value, int flags)
{
    return sim_fails("eventfd") ? -1 : __real_eventfd(value, flags);
}

/* The library passes an argument with all commands but one, which does not look at it. */
int __wrap_fcntl(int fd, int command, ...)
{
    va_list arguments;
    int argument;

    va_start(arguments, command);
    argument = command == F_GETFL ? 0 : va_arg(arguments, int);
    va_end(arguments);
    return sim_fails("fcntl") ? -1 : __real_fcntl(fd, command, argument);
}

handle __wrap_handle_create(enum kind kind, void *object)
{
    return sim_fails("handle_create") ? 0 : __real_handle_create(kind, object);
}
