/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

/**
 * The simulated device, with which the library is linked in a JVM that {@link SimulatedDeviceTest} has started. Thread
 * safe.
 */
final class Simulation {
    /** Set in that JVM. */
    static final String PROPERTY = "crail.verbs.simulated";

    /** The limit on locked memory of that JVM. */
    static final int MEMLOCK_KIB = 64;

    private Simulation() {}

    static boolean isPresent() {
        return Boolean.getBoolean(PROPERTY);
    }

    /** Lets the next call of a function of libibverbs or librdmacm fail with a value of errno. */
    static void fail(String call, int errno) {
        fail(call, errno, 0);
    }

    /**
     * The same for a later call.
     *
     * @param call also calloc, eventfd, fcntl or handle_create, as far as the library under test itself calls them
     * @param after how many calls do not fail before; errno 0 lets none fail any more
     */
    static native void fail(String call, int errno, int after);

    /** Whether the call that is to fail has not come yet. */
    static native boolean isToFail();

    /** How many pieces of memory the library has not freed. */
    static native int allocations();

    /**
     * The retry counts of the last connect or accept: 16 times that for lost packets, plus that for missing receives.
     */
    static native int retryCounts();

    /** Makes the addresses of all ids those of a family. */
    static native void useFamily(int family);

    /** How many objects of libibverbs and librdmacm, events among them, have not been given back. */
    static native int objects();

    /** Tells all ids that are bound to the device that it is gone. */
    static native void removeDevice();
}
