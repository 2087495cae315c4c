/* SPDX-License-Identifier: Apache-2.0 */
package org.example.peer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.TableFormat;
import org.apache.hadoop.fs.FileSystem;

/** Keeps each value and each table in a file; asks the server when it is told to look a file up. */
final class FilesClient implements PeerClient {
    private final FileSystem files;
    private final Path root;
    private final InetSocketAddress server;
    private final Socket connection = new Socket();
    private final byte[] unit = new byte[UNIT_BYTES];
    private final ByteBuffer number = ByteBuffer.wrap(unit);
    private byte[] value;
    private byte[] fetched;

    FilesClient(FileSystem files, Path root, InetSocketAddress server) {
        this.files = files;
        this.root = root;
        this.server = server;
    }

    @Override
    public String table(String name) throws IOException {
        return directory(name);
    }

    @Override
    public String directory(String name) throws IOException {
        return Files.createDirectories(root.resolve(name)) + "/";
    }

    @Override
    public void prepare(byte[] bytes) {
        value = bytes;
    }

    @Override
    public void put(String key) throws IOException {
        Files.write(Path.of(key), value);
    }

    @Override
    public void get(String key) throws IOException {
        fetched = Files.readAllBytes(Path.of(key));
    }

    @Override
    public byte[] fetched() {
        return fetched;
    }

    @Override
    public void lookup(String path) throws IOException {
        if (!connection.isConnected()) {
            connection.connect(server);
        }
        new DataOutputStream(connection.getOutputStream()).writeUTF(path);
        if (!new DataInputStream(connection.getInputStream()).readBoolean()) {
            throw new FileNotFoundException(path);
        }
    }

    @Override
    public void create(String path) throws IOException {
        Files.createFile(Path.of(path));
    }

    @Override
    public void write(String path, int units) throws IOException {
        try (OutputStream out = Files.newOutputStream(Path.of(path))) {
            for (int i = 0; i < units; i++) {
                number.putLong(0, i);
                out.write(unit);
            }
        }
    }

    @Override
    public void read(String path, int units) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            for (int i = 0; i < units; i++) {
                if (in.readNBytes(unit, 0, UNIT_BYTES) < UNIT_BYTES) {
                    throw new EOFException(path + " has no more than " + i + " units");
                }
            }
        }
    }

    @Override
    public long lastUnit() {
        return number.getLong(0);
    }

    @Override
    public void writeTable(String path, TableFormat format, int rows) throws IOException {
        format.write(files, new org.apache.hadoop.fs.Path(path), rows);
    }

    @Override
    public double sumTable(String path, TableFormat format) throws IOException {
        return format.sum(files, new org.apache.hadoop.fs.Path(path));
    }

    @Override
    public void remove(String path) throws IOException {
        files.delete(new org.apache.hadoop.fs.Path(path), true);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
