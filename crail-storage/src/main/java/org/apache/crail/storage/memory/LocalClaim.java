/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory on this host that says to be that of a datanode. That is true if the datanode has, at an address of its memory,
 * what its fence file has here. Immutable.
 *
 * @param offer what to use if it is true
 * @param address of the proof in the datanode's memory
 * @param key to read it with
 */
public record LocalClaim(LocalOffer offer, long address, int key) {
    /** Length of the proof. */
    public static final int PROOF_BYTES = FenceFile.PROOF_BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(LocalClaim.class);

    /** Whether these bytes, read at the address, prove it. */
    public boolean isProvedBy(ByteBuffer found) {
        return found.equals(ByteBuffer.wrap(FenceFile.proof(offer.token())));
    }

    /**
     * The directories that may be those of a datanode which listens at an address; none if that is not an address of this host.
     *
     * @param dataPath in which datanodes have their directories
     */
    public static List<LocalClaim> find(Path dataPath, MemoryTierKeys keys, InetSocketAddress address) {
        List<LocalClaim> found = new ArrayList<>();
        try {
            if (Files.isDirectory(dataPath) && NetworkInterface.getByInetAddress(address.getAddress()) != null) {
                addAll(dataPath, MemoryTierSettings.directoryName(keys, address), found);
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
                if ((rest.isEmpty() || rest.startsWith("-")) && Files.isDirectory(directory)) {
                    addFirst(directory, found);
                }
            }
        }
    }

    /** All fence files of a datanode have one token, so one of them proves for all. */
    private static void addFirst(Path directory, List<LocalClaim> found) throws IOException {
        for (Path file : DataDirectory.fences(directory)) {
            FenceFile.Head head = FenceFile.head(file).orElse(null);
            if (head != null && head.proofKey() != 0) {
                found.add(
                        new LocalClaim(new LocalOffer(directory, head.token()), head.proofAddress(), head.proofKey()));
                return;
            }
        }
    }
}
