/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;

/**
 * Copies between one buffer and a mapped file, unit by unit, within the client: what a mapped store cannot undercut.
 * Reads are of the first part of the file, again and again; writes go on where the last one ended, over as much memory
 * as the files of a turn take.
 */
final class RawCopy implements Peer {
    private final int units;
    private ByteBuffer file;

    /** Works on a file of so many units, as many as a turn writes. */
    RawCopy(int units) {
        this.units = units;
    }

    @Override
    public String name() {
        return "copy";
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.STREAM);
    }

    /** Makes and maps the file, all of whose pages are there. */
    @Override
    public void start(Servers servers) throws IOException {
        Path path = servers.newDirectory(name()).resolve("copied");
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer unit = ByteBuffer.allocateDirect(PeerClient.UNIT_BYTES);
            for (int i = 0; i < units; i++) {
                channel.write(unit.clear());
            }
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) units * PeerClient.UNIT_BYTES)
                    .load();
        }
    }

    @Override
    public int spaceMib() {
        return units;
    }

    @Override
    public PeerClient connect() {
        return new Client(file);
    }

    private static final class Client implements PeerClient {
        private final ByteBuffer file;
        private final ByteBuffer unit = ByteBuffer.allocateDirect(UNIT_BYTES);
        private final Units written;

        Client(ByteBuffer file) {
            this.file = file;
            this.written = new Units(file);
        }

        @Override
        public void read(String path, int units) {
            for (int i = 0; i < units; i++) {
                unit.put(0, file, i * UNIT_BYTES, UNIT_BYTES);
            }
        }

        @Override
        public void write(String path, int units) {
            for (int i = 0; i < units; i++) {
                written.next().put(unit.clear());
            }
        }
    }
}
