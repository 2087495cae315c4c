/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.crail.error.CrailException;

/** Directories of datanodes for tests of other packages. Stateless. */
public final class TestDirectories {
    /** Those of a tier called "some". */
    public static final MemoryTierKeys KEYS = DataPathTest.KEYS;

    private TestDirectories() {}

    /** Takes the directory of this name, or one with a number behind it. */
    public static DataDirectory claim(Path dataPath, String name) throws CrailException {
        return new DataPath(dataPath, KEYS).claim(name);
    }

    /** Removes what a datanode left that was killed. */
    public static void removeRegions(Path directory) throws IOException {
        RegionFiles.removeAll(directory);
    }

    /** Removes the fences beside regions that a datanode has kept. */
    public static void retireFences(Path directory) throws IOException {
        RegionFiles.retireFences(directory);
    }
}
