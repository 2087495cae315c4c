/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/** A multi-file: a bag of files that can be read as one. Thread safe as {@link CrailContainer}. */
public interface CrailMultiFile extends CrailContainer {
    /**
     * Opens a blocking stream over the bytes of all files in the bag that are not empty, one file after the other, in
     * the order of the listing. The caller closes it. It cannot seek.
     *
     * @param outstanding the number of transfers in flight, over as many files as that takes; at least 1
     */
    default CrailBufferedInputStream getMultiStream(int outstanding) throws Exception {
        return new MultiFileBufferedInputStream(this, outstanding);
    }
}
