/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.apache.crail.internal.FilePages;
import org.apache.crail.internal.OwnFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that both ends of a connection map: a ring for each direction, and a mark of each end, by which the other one
 * sees that it has the same memory. The server makes it, as a file that only its user may open, on tmpfs, with all
 * pages, and removes the name as soon as the client has mapped it. The server gives its mapping back when it has
 * noticed the end of the connection. A client leaves that to the garbage collector, as any of its threads may still
 * look there.
 */
public final class MessageMemory {
    private static final Logger LOG = LoggerFactory.getLogger(MessageMemory.class);
    private static final Path DIRECTORY = Path.of("/dev/shm");
    private static final String PREFIX = "crail-messages-";
    private static final Duration LONGEST_OFFER = Duration.ofMinutes(1);

    private static final int LAYOUT = 0;
    private static final int CLIENT_MARK = 128;
    private static final int SERVER_MARK = 256;
    private static final int RINGS = 384;
    private static final int BYTES = RINGS + 2 * ByteRing.TOTAL_BYTES;

    /** Which layout this is, as a number that no other file begins with by chance. */
    private static final long VERSION = 0x4352_4149_4c4d_0001L;

    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final Path path;
    private final FileMapping mapping; // null for a client, whose threads may still look there
    private final ByteBuffer memory;
    private final boolean isServer;

    private MessageMemory(Path path, FileMapping mapping, ByteBuffer memory, boolean isServer) {
        this.path = path;
        this.mapping = mapping;
        this.memory = memory;
        this.isServer = isServer;
    }

    /**
     * Makes new memory, for a server.
     *
     * @throws IOException if there is no tmpfs, or no room in it
     */
    public static MessageMemory create() throws IOException {
        if (!Files.isDirectory(DIRECTORY)) {
            throw new IOException("there is no " + DIRECTORY);
        }
        Path path = DIRECTORY.resolve(PREFIX + UUID.randomUUID());
        try (FileChannel file = OwnFiles.create(path)) {
            FilePages.fill(file, BYTES);
            FileMapping mapping = FileMapping.of(file, BYTES);
            MessageMemory made = new MessageMemory(path, mapping, mapping.bytes(), true);
            WORDS.setVolatile(made.memory, LAYOUT, VERSION);
            return made;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /**
     * Opens what a server has made, for a client.
     *
     * @throws IOException if it cannot be opened, is not the user's own, or is nothing that we know
     */
    public static MessageMemory open(Path path) throws IOException {
        if (!DIRECTORY.equals(path.getParent())
                || !path.getFileName().toString().startsWith(PREFIX)) {
            throw new IOException(path + " is not a file " + DIRECTORY + "/" + PREFIX + "*");
        }
        try (FileChannel file = OwnFiles.openExisting(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() != BYTES) {
                throw new IOException(path + " has " + file.size() + " bytes and not " + BYTES);
            }
            MessageMemory opened = new MessageMemory(path, null, FileMapping.collected(file, BYTES), false);
            if ((long) WORDS.getVolatile(opened.memory, LAYOUT) != VERSION) {
                throw new IOException(path + " has another layout");
            }
            return opened;
        }
    }

    /** Where the file is, or was. */
    public Path path() {
        return path;
    }

    /** Removes the name; the memory stays with those who have mapped it. */
    public void removeName() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("{} cannot be removed; do so by hand", path, e);
        }
    }

    /** Gives the memory of a server back; it must not be used any more, nor the ends of its rings. */
    public void release() {
        mapping.release();
    }

    /** Removes what servers that were killed while a client connected have left. */
    public static void removeLeftovers() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(DIRECTORY, PREFIX + "*")) {
            files.forEach(MessageMemory::removeIfOld);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("{} cannot be searched for what killed servers have left", DIRECTORY, e);
        }
    }

    private static void removeIfOld(Path file) {
        try {
            Instant latest = Instant.now().minus(LONGEST_OFFER);
            OwnFiles.requireFile(file);
            if (Files.getLastModifiedTime(file).toInstant().isBefore(latest)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.debug("{} cannot be removed", file, e); // another server may have done so
        }
    }

    /** Lets the other end see that this one has mapped the memory. */
    public void mark() {
        WORDS.setVolatile(memory, isServer ? SERVER_MARK : CLIENT_MARK, 1L);
    }

    /** Whether the other end has mapped it, too. */
    public boolean isMarkedByOther() {
        return (long) WORDS.getVolatile(memory, isServer ? CLIENT_MARK : SERVER_MARK) != 0;
    }

    /** What this end writes into. */
    public RingWriter writer() {
        return new RingWriter(ring(isServer));
    }

    /** What this end reads from. */
    public RingReader reader() {
        return new RingReader(ring(!isServer));
    }

    private ByteRing ring(boolean isFromServer) {
        ByteBuffer part = memory.slice(RINGS + (isFromServer ? ByteRing.TOTAL_BYTES : 0), ByteRing.TOTAL_BYTES);
        return new ByteRing(part);
    }
}
