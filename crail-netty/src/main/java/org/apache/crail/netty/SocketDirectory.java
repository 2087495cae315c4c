/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.OwnFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory in which servers have their Unix domain sockets. It has to be the server's user's alone, since whoever
 * may write to it can put another socket in the place of ours; so nothing in it is touched before that is known. A
 * server that starts removes those that crashed ones left: files with names of ours that refuse connections. Thread
 * safe, between processes too.
 */
public final class SocketDirectory {
    /** The longest path of a socket that Java takes: Linux has room for 107 bytes and a 0. */
    static final int MAX_PATH_BYTES = 106;

    private static final Logger LOG = LoggerFactory.getLogger(SocketDirectory.class);
    private static final Object IN_THIS_PROCESS = new Object();
    private static final String GUARD = ".crail-lock";
    private static final String PREFIX = "crail-";
    private static final String SUFFIX = ".sock";
    private static final Set<PosixFilePermission> ANYBODY = PosixFilePermissions.fromString("rwxrwxrwx");
    private static final long LOCK_LIMIT_NS = 2_000_000_000L;
    private static final long LOCK_PAUSE_NS = 5_000_000L;

    private final Path path;

    SocketDirectory(Path path) {
        this.path = path.toAbsolutePath();
    }

    /** The directory that the configuration names, or none if it switches such sockets off. */
    public static Optional<SocketDirectory> of(CrailConfiguration conf) throws ConfigurationException {
        return conf.get(TcpTierKeys.UNIX_SOCKETS)
                ? Optional.of(new SocketDirectory(path(conf.get(TcpTierKeys.UNIX_SOCKET_PATH))))
                : Optional.empty();
    }

    private static Path path(String configured) throws ConfigurationException {
        try {
            return configured.isBlank()
                    ? Path.of(System.getProperty("java.io.tmpdir"), "crail-sockets-" + OwnFiles.userText())
                    : Path.of(configured.strip());
        } catch (InvalidPathException e) {
            throw new ConfigurationException(
                    TcpTierKeys.UNIX_SOCKET_PATH + " is no path: " + e.getMessage() + "; name a directory", e);
        }
    }

    /** Makes a socket. */
    @FunctionalInterface
    interface Binder {
        void bind(Path socket) throws IOException;
    }

    /**
     * Has a socket made at a path that nobody has used before, and lets every user connect to it.
     *
     * @throws ConfigurationException if there is none; the message says why and what would be right
     */
    Path bind(Binder binder) throws ConfigurationException {
        Path socket = path.resolve(PREFIX + UUID.randomUUID().toString().substring(0, 18) + SUFFIX);
        int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PATH_BYTES) {
            throw unusable(
                    "is too long: the path of a socket in it has " + bytes + " bytes and may have " + MAX_PATH_BYTES);
        }
        try {
            ensureDirectory();
            synchronized (IN_THIS_PROCESS) {
                bindAlone(socket, binder);
            }
            return socket;
        } catch (ConfigurationException e) {
            throw e;
        } catch (IOException | DirectoryIteratorException e) {
            throw unusable("cannot be used (" + e + ")");
        }
    }

    /**
     * Whether a socket has a name that servers give, and is in a directory of its own owner, as theirs are: a client is
     * not to be sent to the socket of another program.
     */
    static boolean mayHaveMade(Path socket) {
        String name = String.valueOf(socket.getFileName());
        try {
            boolean isOwners =
                    name.startsWith(PREFIX) && name.endsWith(SUFFIX) && OwnFiles.isInDirectoryOfItsOwner(socket);
            if (!isOwners) {
                LOG.debug("{} is not used, as no server makes such a socket", socket);
            }
            return isOwners;
        } catch (IOException e) {
            LOG.debug("{} is not used, as another user may have made it", socket, e);
            return false;
        }
    }

    private void bindAlone(Path socket, Binder binder) throws IOException {
        try (FileChannel guard = OwnFiles.openOrCreate(path.resolve(GUARD));
                FileLock held = lock(guard)) {
            LOG.trace("{} is held: {}", path, held.isValid());
            removeLeftovers();
            binder.bind(socket);
            Files.setPosixFilePermissions(socket, ANYBODY);
        }
    }

    private FileLock lock(FileChannel guard) throws IOException {
        long beginNs = System.nanoTime();
        FileLock lock = guard.tryLock();
        while (lock == null) {
            if (System.nanoTime() - beginNs > LOCK_LIMIT_NS) {
                throw unusable("is held by another process, which does not go on");
            }
            LockSupport.parkNanos(LOCK_PAUSE_NS);
            lock = guard.tryLock();
        }
        return lock;
    }

    private void ensureDirectory() throws ConfigurationException {
        try {
            OwnFiles.ensureVisibleDirectory(path);
        } catch (IOException e) {
            throw unusable(e.getMessage());
        }
    }

    private ConfigurationException unusable(String what) {
        return new ConfigurationException("directory " + path + " for Unix domain sockets " + what + "; make "
                + TcpTierKeys.UNIX_SOCKET_PATH.name()
                + " a short path of a directory that only the server's user may write to");
    }

    private void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(path, PREFIX + "*" + SUFFIX)) {
            for (Path socket : sockets) {
                if (isLeftOver(socket)) {
                    LOG.info("removing {}, the socket of a server that did not stop cleanly", socket);
                    Files.deleteIfExists(socket);
                }
            }
        }
    }

    private static boolean isLeftOver(Path socket) {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(socket));
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            LOG.debug("{} is in use, or nothing that we know", socket, e);
            return false;
        }
    }
}
