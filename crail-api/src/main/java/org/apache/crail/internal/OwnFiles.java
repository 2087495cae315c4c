/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.error.ConfigurationException;

/**
 * Directories and files that are this process's user's alone. They are made with rights for no other user, whatever the
 * umask adds, and used if they are no links, belong to the user, and nobody else may write to them. Within such a
 * directory nobody else can put one file in the place of another. Messages are the end of a sentence that begins with
 * what the path is for. Thread safe.
 */
public final class OwnFiles {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String USERS = "Uid:"; // real, effective, saved, that of files
    private static final int OF_FILES = 4;
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> VISIBLE_DIRECTORY = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final FileAttribute<?> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private OwnFiles() {}

    /**
     * The number of the user whom files of this process belong to: names may be missing, or two users may have the
     * same.
     *
     * @throws IOException if the system does not tell it
     */
    public static int user() throws IOException {
        return Holder.user();
    }

    /**
     * The same as part of the name of a directory.
     *
     * @throws ConfigurationException if the system does not tell it
     */
    public static String userText() throws ConfigurationException {
        try {
            return Integer.toUnsignedString(user());
        } catch (IOException e) {
            throw new ConfigurationException(
                    "the directories of this user have no name, as the system does not tell the user's number (" + e
                            + "); mount /proc, or configure the paths",
                    e);
        }
    }

    /** Once found, it stays. */
    private static final class Holder {
        private static volatile int known = -1;

        static int user() throws IOException {
            if (known < 0) {
                known = find();
            }
            return known;
        }

        private static int find() throws IOException {
            List<String> lines = Files.readAllLines(STATUS);
            for (String line : lines) {
                if (line.startsWith(USERS)) {
                    return Integer.parseUnsignedInt(line.strip().split("\\s+", -1)[OF_FILES]);
                }
            }
            throw new IOException(STATUS + " does not tell the user");
        }
    }

    /**
     * Makes a directory that only the user may look into, unless it is there, and sees to it that it is the user's own.
     */
    public static void ensureDirectory(Path path) throws IOException {
        ensureDirectory(path, DIRECTORY);
    }

    /** The same with a directory that others may look into, as far as the umask lets them. */
    public static void ensureVisibleDirectory(Path path) throws IOException {
        ensureDirectory(path, VISIBLE_DIRECTORY);
    }

    private static void ensureDirectory(Path path, Set<PosixFilePermission> rights) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            makeDirectory(path, rights);
        }
        requireDirectory(path);
        if (!Files.isWritable(path)) {
            throw new IOException("cannot be written by user " + describeUser());
        }
    }

    private static void makeDirectory(Path path, Set<PosixFilePermission> rights) throws IOException {
        try {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(rights));
        } catch (FileAlreadyExistsException meanwhile) {
            // by another process; whose it is shows next
        } catch (IOException e) {
            throw new IOException("does not exist and cannot be made (" + e + ")", e);
        }
    }

    /**
     * Sees to it that a directory is the user's own.
     *
     * @throws IOException if it is not; the message goes on where the name of the directory ends
     */
    public static void requireDirectory(Path path) throws IOException {
        PosixFileAttributes found = attributes(path);
        if (found.isSymbolicLink()) {
            throw new IOException("is a link, not a directory");
        }
        if (!found.isDirectory()) {
            throw new IOException("is not a directory");
        }
        requireOwn(path, found);
    }

    /**
     * Sees to it that a file is the user's own, and neither a link nor a device or pipe.
     *
     * @throws IOException if it is not; the message begins with the name of the file
     */
    public static void requireFile(Path path) throws IOException {
        try {
            PosixFileAttributes found = attributes(path);
            if (!found.isRegularFile()) {
                throw new IOException(found.isSymbolicLink() ? "is a link, not a file" : "is not an ordinary file");
            }
            requireOwn(path, found);
        } catch (IOException e) {
            throw new IOException(path + " " + e.getMessage(), e);
        }
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw new IOException("cannot be looked at (" + e + ")", e);
        }
    }

    private static void requireOwn(Path path, PosixFileAttributes found) throws IOException {
        if (owner(path) != user()) {
            throw new IOException("belongs to user " + found.owner().getName() + " and not to user " + describeUser());
        }
        requireUnshared(found);
    }

    private static void requireUnshared(PosixFileAttributes found) throws IOException {
        Set<PosixFilePermission> rights = found.permissions();
        if (rights.contains(PosixFilePermission.GROUP_WRITE) || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("can be written by other users (" + PosixFilePermissions.toString(rights) + ")");
        }
    }

    private static int owner(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static String describeUser() throws IOException {
        return System.getProperty("user.name") + " (" + Integer.toUnsignedString(user()) + ")";
    }

    /**
     * Whether a file is in a directory of its own owner, whoever that is, in which nobody else can put another in its
     * place. Neither may be a link.
     */
    public static boolean isInDirectoryOfItsOwner(Path path) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        PosixFileAttributes found = attributes(directory);
        if (!found.isDirectory() || attributes(path).isSymbolicLink() || owner(directory) != owner(path)) {
            return false;
        }
        requireUnshared(found);
        return true;
    }

    /** Whether a file, or a link, belongs to the user. */
    public static boolean isOwn(Path path) throws IOException {
        return owner(path) == user();
    }

    /** Makes a file that only the user may use, and that nobody has made before. The caller closes it. */
    public static FileChannel create(Path path) throws IOException {
        return open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** As {@link #create}, but the file loses its name at once, and ends when nobody has it open or mapped. */
    public static FileChannel createNameless(Path path) throws IOException {
        return open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Opens a file of an own directory for writing, and makes it if it is missing. The caller closes it. */
    public static FileChannel openOrCreate(Path path) throws IOException {
        return open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Opens a file that is the user's own, as {@link #requireFile} says. The caller closes it. */
    public static FileChannel openExisting(Path path, StandardOpenOption... options) throws IOException {
        requireFile(path);
        return open(path, options);
    }

    private static FileChannel open(Path path, StandardOpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(path, all, FILE);
    }
}
