/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A directory of files that are stored by {@code crail fs} and fetched again. Used by one thread. */
final class StoredFiles {
    private static final String NAME = "files";

    private final Path work;
    private final Map<String, Integer> bytesByName = new TreeMap<>();

    private StoredFiles(Path work) {
        this.work = work;
    }

    /** Makes a file of 100 bytes, and one of so many. */
    static StoredFiles in(Path work, int largeBytes) throws IOException {
        StoredFiles files = new StoredFiles(work);
        files.bytesByName.put("small", 100);
        files.bytesByName.put("large", largeBytes);
        Random random = new Random(1);
        Files.createDirectory(files.directory());
        for (Map.Entry<String, Integer> file : files.bytesByName.entrySet()) {
            byte[] content = new byte[file.getValue()];
            random.nextBytes(content);
            Files.write(files.directory().resolve(file.getKey()), content);
        }
        return files;
    }

    private Path directory() {
        return work.resolve(NAME);
    }

    /** Puts the directory below the root of the store. */
    void put(UnpackedTarball crail) throws Exception {
        crail.run("crail", "fs", "-put", directory().toString(), "/");
    }

    /** Gets it and compares. */
    void getAndCompare(UnpackedTarball crail) throws Exception {
        Path back = Files.createDirectory(work.resolve("back"));
        crail.run("crail", "fs", "-get", "/" + NAME, back.toString());
        for (String name : bytesByName.keySet()) {
            assertThat(Files.mismatch(
                            directory().resolve(name), back.resolve(NAME).resolve(name)))
                    .as(name)
                    .isEqualTo(-1);
        }
    }
}
