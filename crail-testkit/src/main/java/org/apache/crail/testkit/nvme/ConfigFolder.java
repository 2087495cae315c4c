/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.nvme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A folder of the kernel's configfs, whose files are settings. Thread safe as far as the kernel is. */
record ConfigFolder(Path path) {
    static final ConfigFolder ROOT = new ConfigFolder(Path.of("/sys/kernel/config"));

    ConfigFolder folder(String name) {
        return new ConfigFolder(path.resolve(name));
    }

    ConfigFolder make() throws IOException {
        Files.createDirectory(path);
        return this;
    }

    void set(String setting, String value) throws IOException {
        try {
            Files.writeString(path.resolve(setting), value, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException("the kernel did not take " + value + " for " + path.resolve(setting), e);
        }
    }

    String get(String setting) throws IOException {
        return Files.readString(path.resolve(setting)).strip();
    }

    void link(ConfigFolder to) throws IOException {
        Files.createSymbolicLink(path.resolve(to.path.getFileName()), to.path);
    }

    void unlink(ConfigFolder to) throws IOException {
        Files.deleteIfExists(path.resolve(to.path.getFileName()));
    }

    boolean links(ConfigFolder to) {
        return Files.isSymbolicLink(path.resolve(to.path.getFileName()));
    }

    void removeIfThere() throws IOException {
        Files.deleteIfExists(path);
    }

    boolean isThere() {
        return Files.isDirectory(path);
    }
}
