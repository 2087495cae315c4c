/* SPDX-License-Identifier: Apache-2.0 */
#include <jni.h>
#include <sched.h>
#include <stdint.h>

/* com.ibm.disni.util.NativeAffinity: the processors 0 to 63 that the calling thread may run on, as bits. */

#define MASK_BITS 64

/* A mask that the system refuses changes nothing: Java cannot be told, and a thread on another processor still works. */
JNIEXPORT void JNICALL Java_com_ibm_disni_util_NativeAffinity__1setAffinity(JNIEnv *env, jclass type, jlong mask)
{
    cpu_set_t processors;

    (void)env;
    (void)type;
    CPU_ZERO(&processors);
    for (int i = 0; i < MASK_BITS; i++) {
        if (((uint64_t)mask >> i & 1) != 0) {
            CPU_SET(i, &processors);
        }
    }
    (void)sched_setaffinity(0, sizeof(processors), &processors);
}

JNIEXPORT jlong JNICALL Java_com_ibm_disni_util_NativeAffinity__1getAffinity(JNIEnv *env, jclass type)
{
    cpu_set_t processors;
    uint64_t mask = 0;

    (void)env;
    (void)type;
    if (sched_getaffinity(0, sizeof(processors), &processors) != 0) {
        return -1;
    }
    for (int i = 0; i < MASK_BITS; i++) {
        mask |= (uint64_t)(CPU_ISSET(i, &processors) != 0) << i;
    }
    return (jlong)mask;
}
