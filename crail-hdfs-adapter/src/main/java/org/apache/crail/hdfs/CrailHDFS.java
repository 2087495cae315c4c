/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Crail for programs that use {@link org.apache.hadoop.fs.FileContext}; {@code fs.AbstractFileSystem.crail.impl} names
 * it. File contexts with the same configuration share a store, which lives as long as the process. All methods are
 * thread safe.
 */
public class CrailHDFS extends DelegateToFileSystem {
    private final CrailHadoopFileSystem fileSystem;

    /** Called by Hadoop. */
    public CrailHDFS(URI uri, Configuration conf) throws IOException, URISyntaxException {
        this(StoreSettings.withPort(StoreSettings.addressed(uri, conf)), conf, CrailHadoopFileSystem.ofSharedStore());
    }

    private CrailHDFS(URI uri, Configuration conf, CrailHadoopFileSystem fileSystem)
            throws IOException, URISyntaxException {
        super(uri, fileSystem, conf, StoreSettings.SCHEME, false);
        this.fileSystem = fileSystem;
    }

    @Override
    public int getUriDefaultPort() {
        return StoreSettings.DEFAULT_PORT;
    }

    /**
     * That of the file system, always with a port, as renames between two file systems compare them; Hadoop's own loses
     * a host with an underscore.
     */
    @Override
    public URI getUri() {
        return fileSystem.getUri();
    }

    /** As the file system does it, which knows URIs without an address, and addresses without a port. */
    @Override
    public void checkPath(Path path) {
        if (path.toUri().getScheme() == null) {
            super.checkPath(path);
            return;
        }
        try {
            fileSystem.requireOwn(path);
        } catch (IllegalArgumentException e) {
            throw invalid(e);
        }
    }

    private static InvalidPathException invalid(IllegalArgumentException cause) {
        InvalidPathException exception = new InvalidPathException(cause.getMessage());
        exception.initCause(cause);
        return exception;
    }

    /** In one step, which a missing parent fails; Hadoop's own method looks for the parent in another step before. */
    @Override
    public FSDataOutputStream createInternal(
            Path file,
            EnumSet<CreateFlag> flags,
            FsPermission absolutePermission,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum,
            boolean createParent)
            throws IOException {
        checkPath(file);
        return fileSystem.create(file, absolutePermission, flags, createParent);
    }

    /** In one step, replacing or not. */
    @Override
    public void renameInternal(Path source, Path destination, boolean overwrite) throws IOException {
        checkPath(source);
        checkPath(destination);
        fileSystem.rename(source, destination, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        checkPath(path);
        return fileSystem.listStatusIterator(path);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
        checkPath(path);
        return fileSystem.listLocatedStatus(path);
    }
}
