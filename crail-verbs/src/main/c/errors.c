/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "natives.h"

#define TEXT_BYTES 512

static _Atomic(jclass) io_exception;

int prepare_errors(JNIEnv *env)
{
    jclass none = NULL;
    jclass local;
    jclass global;

    if (atomic_load(&io_exception) != NULL) {
        return 1;
    }
    local = (*env)->FindClass(env, "java/io/IOException");
    global = local == NULL ? NULL : (*env)->NewGlobalRef(env, local);
    if (global == NULL) {
        return 0;
    }
    if (!atomic_compare_exchange_strong(&io_exception, &none, global)) {
        (*env)->DeleteGlobalRef(env, global);
    }
    (*env)->DeleteLocalRef(env, local);
    return 1;
}

void throw_io(JNIEnv *env, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(text, sizeof(text), format, arguments) < 0) {
        text[0] = '\0';
    }
    va_end(arguments);
    (*env)->ThrowNew(env, atomic_load(&io_exception), text);
}

void throw_errno(JNIEnv *env, int error, const char *format, ...)
{
    char buffer[128];
    char call[256];
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(call, sizeof(call), format, arguments) < 0) {
        call[0] = '\0';
    }
    va_end(arguments);
    throw_io(env, "%s failed: %s (errno %d)", call, strerror_r(error, buffer, sizeof(buffer)), error);
}

void throw_not_open(JNIEnv *env, enum kind kind, handle h, const char *operation)
{
    throw_io(env, "%s failed: handle %lld is not an open %s (errno %d)", operation, (long long)h, kind_names[kind],
             EBADF);
}

int errno_of(int result)
{
    if (result == -1) {
        return errno == 0 ? EIO : errno;
    }
    return result < 0 ? -result : result;
}
