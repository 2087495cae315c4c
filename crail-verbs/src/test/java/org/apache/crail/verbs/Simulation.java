/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

/**
 * The simulated device, with which the library is linked in a JVM that {@link SimulatedDeviceTest} has started. Thread safe.
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
    static native void fail(String call, int errno);

    /** How many objects of libibverbs and librdmacm, events among them, have not been given back. */
    static native int objects();

    /** Tells all ids that are bound to the device that it is gone. */
    static native void removeDevice();
}
