/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.internal.OwnFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of this user on this host that says to be that of a datanode. That is true if the datanode has, at an
 * address of its memory, the token that its fence files have here. Immutable.
 *
 * @param offer what to use if it is true
 * @param address of the proof in the datanode's memory
 * @param key to read it with
 */
public record LocalClaim(LocalOffer offer, long address, int key) {
    private static final Logger LOG = LoggerFactory.getLogger(LocalClaim.class);

    /** Whether these bytes, read at the address, prove it. */
    public boolean isProvedBy(ByteBuffer found) {
        return found.equals(ByteBuffer.wrap(offer.proof()));
    }

    /**
     * The directories that may be those of a datanode which listens at an address; none if that is not an address of
     * this host.
     *
     * @param dataPath in which datanodes have their directories
     * @param name what the directory of this one is called, alone or with a dash and a number behind it
     */
    public static List<LocalClaim> find(Path dataPath, String name, InetSocketAddress address) {
        List<LocalClaim> found = new ArrayList<>();
        try {
            if (Files.exists(dataPath, LinkOption.NOFOLLOW_LINKS)
                    && NetworkInterface.getByInetAddress(address.getAddress()) != null) {
                OwnFiles.requireDirectory(dataPath);
                addAll(dataPath, name, found);
            }
        } catch (IOException e) {
            LOG.debug("{} cannot be looked through, so no memory there is used", dataPath, e);
        }
        return found;
    }

    private static void addAll(Path dataPath, String name, List<LocalClaim> found) throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(dataPath, name + "*")) {
            for (Path directory : directories) {
                String rest = directory.getFileName().toString().substring(name.length());
                if ((rest.isEmpty() || rest.startsWith("-"))
                        && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                    found.addAll(of(directory));
                }
            }
        }
    }

    /** What the fence files in a directory say: all of one start of a datanode the same. */
    private static List<LocalClaim> of(Path directory) {
        try {
            OwnFiles.requireDirectory(directory);
            return FenceFile.in(directory).stream()
                    .flatMap(file -> FenceFile.head(file).stream())
                    .filter(head -> head.proofKey() != 0)
                    .map(head -> new LocalClaim(
                            new LocalOffer(directory, head.token()), head.proofAddress(), head.proofKey()))
                    .distinct()
                    .toList();
        } catch (IOException e) {
            LOG.debug("{} is not used, as it is not one's own or cannot be listed", directory, e);
            return List.of();
        }
    }
}
