/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

/** What the library offers beyond what DiSNI calls. Thread safe; usable once the library is loaded. */
final class VerbsNatives {
    private VerbsNatives() {}

    /**
     * Makes the library's symbols visible to the whole process, so that the JVM finds it by its name.
     *
     * @throws UnsatisfiedLinkError if the dynamic linker refuses
     */
    static native void makeGlobal();

    /** How many objects of a kind, numbered as in handles.h, are not destroyed yet; -1 for an unknown kind. */
    static native int objects(int kind);

    /** Sets the retry counts, 0 to 7, of connects whose program has left them at 0. */
    static native void setDefaultRetries(int count);
}
