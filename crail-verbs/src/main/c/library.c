/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>

#include "natives.h"
#include "settings.h"

/*
 * Loading. fork (pitfall P36): nothing is done about it here, since the JVM starts programs through vfork or posix_spawn;
 * RDMAV_FORK_SAFE=1 makes libibverbs prepare for others, on kernels before 5.12.
 * Events of the device itself (P35), such as a fatal error of a queue pair, are not read: each failed work request says so
 * as well, and as nobody has taken such an event, destroying a queue pair never waits for its acknowledgement.
 */

static jint on_load(JavaVM *vm)
{
    JNIEnv *env;

    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK || !prepare_errors(env)) {
        return JNI_ERR;
    }
    read_settings();
    return JNI_VERSION_1_8;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    return on_load(vm);
}

/* Makes the JVM take "disni" for a library that is part of the process, if the symbols are global: see makeGlobal. */
JNIEXPORT jint JNICALL JNI_OnLoad_disni(JavaVM *vm, void *reserved)
{
    (void)reserved;
    return on_load(vm);
}

/*
 * org.apache.crail.verbs.VerbsNatives.makeGlobal: adds the symbols of this library to those that the whole process sees. The
 * library stays loaded until the process ends.
 */
JNIEXPORT void JNICALL Java_org_apache_crail_verbs_VerbsNatives_makeGlobal(JNIEnv *env, jclass type)
{
    Dl_info self;

    (void)type;
    if (dladdr(&settings, &self) == 0 || dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == NULL) {
        jclass error = (*env)->FindClass(env, "java/lang/UnsatisfiedLinkError");

        if (error != NULL) {
            (*env)->ThrowNew(env, error, "the dynamic linker does not make the library global");
        }
    }
}

/* org.apache.crail.verbs.VerbsNatives.objects: how many objects of a kind there are, -1 for an unknown kind. */
JNIEXPORT jint JNICALL Java_org_apache_crail_verbs_VerbsNatives_objects(JNIEnv *env, jclass type, jint kind)
{
    (void)env;
    (void)type;
    return kind < KIND_EVENT_CHANNEL || kind >= KIND_COUNT ? -1 : handle_count((enum kind)kind);
}

/* org.apache.crail.verbs.VerbsNatives.setDefaultRetries: see settings.h. */
JNIEXPORT void JNICALL Java_org_apache_crail_verbs_VerbsNatives_setDefaultRetries(JNIEnv *env, jclass type, jint count)
{
    (void)env;
    (void)type;
    atomic_store(&settings.default_retries, count);
}
