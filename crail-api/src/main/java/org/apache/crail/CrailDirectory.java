/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.Iterator;

/** A directory: holds directories, files, multi-files and tables. Thread safe as {@link CrailContainer}. */
public interface CrailDirectory extends CrailContainer {
    @Override
    int files();

    @Override
    Iterator<String> listEntries() throws Exception;
}
