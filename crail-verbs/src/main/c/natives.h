/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRAIL_VERBS_NATIVES_H
#define CRAIL_VERBS_NATIVES_H

#include <jni.h>
#include <stdint.h>

#include "handles.h"

/*
 * What the functions that Java calls have in common. P1 to P39 in comments are the pitfalls that the module's README lists.
 *
 * All may be called by any number of threads at the same time. All memory that is passed by address belongs to Java and is
 * used only during the call (P34). A function that has thrown returns at once (P30); those that Java does not declare to throw
 * return -1 instead (P31).
 */

/* A native method of com.ibm.disni.verbs.impl.NativeDispatcher, named without its underscore. */
#define NATIVE(type, name, ...)                                                                                        \
    JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(JNIEnv *env, jobject self, ##__VA_ARGS__)

/* Prevents warnings where a function needs neither the environment nor the object. */
#define UNUSED_JNI ((void)env, (void)self)

/* Memory of Java, passed as a number. */
static inline void *at(jlong address)
{
    return (void *)(uintptr_t)address;
}

/* What Java takes for "none". */
#define NONE (-1)

/* Throws java.io.IOException with a text of at most 500 bytes. */
void throw_io(JNIEnv *env, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Throws java.io.IOException for a call of a library that failed: the call, the text of errno and its number (P29). The
 * format gives the call's name and what else tells this call from others.
 */
void throw_errno(JNIEnv *env, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Throws java.io.IOException for a handle that is closed or never was one; its errno is EBADF. */
void throw_not_open(JNIEnv *env, enum kind kind, handle h, const char *operation);

/* The errno value of a verbs call that returns 0, an errno value, its negative, or -1 with errno. */
int errno_of(int result);

/* Looks up the exception class once; later calls do nothing. Returns 0, with an exception pending, if that fails. */
int prepare_errors(JNIEnv *env);

#endif
