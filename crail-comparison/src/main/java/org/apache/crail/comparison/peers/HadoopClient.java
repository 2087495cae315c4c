/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.TableFormat;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A Hadoop file system, used as programs for Hadoop do. Closes it. */
class HadoopClient implements PeerClient {
    /** Of a file system with servers. */
    static final Set<Ability> ABILITIES = Set.of(
            Ability.LOOKUP,
            Ability.CREATE,
            Ability.STREAM,
            Ability.APPEND,
            Ability.RANDOM_READ,
            Ability.ENUMERATE,
            Ability.LIST,
            Ability.TABLES);

    private final FileSystem files;
    private final String root;
    private final byte[] unit = new byte[UNIT_BYTES];
    private final ByteBuffer number = ByteBuffer.wrap(unit);
    private final Map<String, Path> lookedUp = new ConcurrentHashMap<>();
    private FSDataInputStream opened;
    private String openedPath = "";
    private FSDataOutputStream written;

    /** Keeps everything below a directory, whose name ends without a slash. */
    HadoopClient(FileSystem files, String root) {
        this.files = files;
        this.root = root;
    }

    @Override
    public String directory(String name) throws IOException {
        String path = root + "/" + name;
        files.mkdirs(new Path(path));
        return path + "/";
    }

    /**
     * A path is parsed the first time only: programs have it as a {@link Path}, and Hadoop parses it, whatever the file
     * system.
     */
    @Override
    public void lookup(String path) throws IOException {
        files.getFileStatus(lookedUp.computeIfAbsent(path, Path::new));
    }

    @Override
    public void create(String path) throws IOException {
        files.create(new Path(path)).close();
    }

    @Override
    public void fill(String directory, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            create(directory + "file-" + i);
        }
    }

    @Override
    public int enumerate(String directory) throws IOException {
        return list(directory);
    }

    @Override
    public int list(String directory) throws IOException {
        return files.listStatus(new Path(directory)).length;
    }

    @Override
    public void write(String path, int units) throws IOException {
        try (FSDataOutputStream out = files.create(new Path(path))) {
            for (int i = 0; i < units; i++) {
                number.putLong(0, i);
                out.write(unit);
            }
        }
    }

    @Override
    public void openNew(String path, int units) throws IOException {
        written = files.create(new Path(path));
    }

    @Override
    public void append() throws IOException {
        written.write(unit);
        written.hflush();
    }

    @Override
    public void read(String path, int units) throws IOException {
        try (FSDataInputStream in = files.open(new Path(path))) {
            for (int i = 0; i < units; i++) {
                in.readFully(unit);
            }
        }
    }

    @Override
    public long lastUnit() {
        return number.getLong(0);
    }

    @Override
    public void readAt(String path, long position, int bytes) throws IOException {
        if (!openedPath.equals(path)) {
            closeOpened();
            opened = files.open(new Path(path));
            openedPath = path;
        }
        opened.readFully(position, unit, 0, bytes);
    }

    @Override
    public long firstRead() {
        return number.getLong(0);
    }

    private void closeOpened() throws IOException {
        openedPath = "";
        if (opened != null) {
            opened.close();
        }
    }

    @Override
    public void writeTable(String path, TableFormat format, int rows) throws IOException {
        format.write(files, new Path(path), rows);
    }

    @Override
    public double sumTable(String path, TableFormat format) throws IOException {
        return format.sum(files, new Path(path));
    }

    /** Bytes of a file, or of all files below a directory. */
    final long length(String path) throws IOException {
        return files.getContentSummary(new Path(path)).getLength();
    }

    @Override
    public void remove(String path) throws IOException {
        files.delete(new Path(path), true);
    }

    @Override
    public void close() throws IOException {
        try {
            closeOpened();
            if (written != null) {
                written.close();
            }
        } finally {
            files.close();
        }
    }
}
