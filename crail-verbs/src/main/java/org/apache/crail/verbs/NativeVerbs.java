/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Whether RDMA works in this process, and if not, why. DiSNI needs its native half, {@code libdisni.so}; this class
 * finds it on {@code java.library.path} or takes it from the platform jar ({@code crail-verbs-VERSION-linux-ARCH.jar})
 * on the class path, so that a program that embeds the store needs no library path. Call it before the first use of
 * DiSNI. Thread safe.
 */
public final class NativeVerbs {
    /** One more would be without end where the receiver is not ready. */
    private static final int RETRIES = 6;

    private static final VerbsLibrary LIBRARY = new VerbsLibrary();
    private static final RdmaMachine MACHINE = new RdmaMachine(Path.of("/"));

    private NativeVerbs() {}

    /**
     * Loads the library, once in a process; does nothing if it is there already.
     *
     * @throws UnsatisfiedLinkError if it cannot be found or loaded, with what to do
     */
    public static void load() {
        UnsatisfiedLinkError failure = LIBRARY.load();
        if (failure != null) {
            UnsatisfiedLinkError thrown = new UnsatisfiedLinkError(failure.getMessage());
            thrown.initCause(failure);
            throw thrown;
        }
    }

    /** Whether verbs can be used now. */
    public static boolean isAvailable() {
        return unavailabilityCause() == null;
    }

    /**
     * Why verbs cannot be used now, with what to do about it, or null if they can. The library is looked for once;
     * flags, devices, permissions and limits are looked at in each call, which takes some file accesses and system
     * calls.
     */
    public static Throwable unavailabilityCause() {
        UnsatisfiedLinkError failure = LIBRARY.load();
        return failure != null ? failure : MACHINE.unavailabilityCause();
    }

    /**
     * Gives all connects of this process whose program leaves its retry counts at 0 a count of 6: with 0, one lost
     * packet breaks the connection. What is posted on connections where both were 0 comes back at once when the peer
     * disconnects. For the users of libraries that have no means to say so. Answers false, and does nothing, with a
     * native half of DiSNI other than Crail's.
     *
     * @throws UnsatisfiedLinkError as {@link #load}
     */
    public static boolean mendConnects() {
        load();
        try {
            VerbsNatives.setDefaultRetries(RETRIES);
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /**
     * Why this process cannot register so much memory, or null if it can as far as the limit on locked memory tells.
     *
     * @param bytes what is to be registered at the same time, in bytes
     */
    public static Throwable memlockCause(long bytes) {
        return MACHINE.memlockCause(bytes);
    }

    /** Why memory could not be registered with a device, for people. */
    public static String registrationFailure(int length, IOException cause) {
        Throwable limit = memlockCause(length);
        return "a buffer region of " + length + " bytes cannot be registered with the RDMA device: "
                + (limit != null
                        ? limit.getMessage()
                        : cause.getMessage()
                                + "; use fewer buffers, lower crail.cachelimit and crail.regionsize, or raise the limit"
                                + " on locked memory (ulimit -l unlimited)");
    }
}
