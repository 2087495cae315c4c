/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.metadata.StoreCapacity;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Crail as a Hadoop file system, at {@code crail://host:port/}. Each object has a store of its own, with a
 * configuration of its own. Owners and permissions are kept and told, and nothing is enforced. All methods are thread
 * safe.
 */
public class CrailHadoopFileSystem extends FileSystem {
    /** Of its own: the one of {@link FileSystem} has another type in each Hadoop. */
    private static final Logger LOGGER = LoggerFactory.getLogger(CrailHadoopFileSystem.class);

    static {
        Configuration.addDefaultResource("crail-hadoop-default.xml"); // as HDFS does with its own
    }

    private final boolean sharedStore;
    private final Umask umask = new Umask();
    private final OpenOutputs outputs = new OpenOutputs();
    private URI uri;
    private CrailStore store;
    private PathTree tree;
    private StatusView view;
    private long blockSizeBytes;
    private Path workingDirectory;

    /** For Hadoop, which calls {@link #initialize} next. */
    public CrailHadoopFileSystem() {
        this(false);
    }

    private CrailHadoopFileSystem(boolean sharedStore) {
        this.sharedStore = sharedStore;
    }

    /** One whose store is shared with others like it, and stays open. */
    static CrailHadoopFileSystem ofSharedStore() {
        return new CrailHadoopFileSystem(true);
    }

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        if (!StoreSettings.SCHEME.equalsIgnoreCase(name.getScheme())) {
            throw new PathIOException(name.toString(), "no URI of Crail; it looks like crail://host:9060/");
        }
        super.initialize(name, conf);
        setConf(conf);
        CrailConfiguration settings = StoreSettings.of(name, conf);
        uri = URI.create(StoreSettings.SCHEME + "://"
                + (name.getAuthority() == null ? "/" : name.getAuthority().toLowerCase(Locale.ROOT)));
        blockSizeBytes = conf.getLongBytes(StoreSettings.BLOCK_SIZE_KEY, StoreSettings.DEFAULT_BLOCK_SIZE);
        store = sharedStore ? Stores.shared(name, settings) : Stores.open(name, settings);
        tree = new PathTree(store, UserGroupInformation.getCurrentUser().getShortUserName());
        view = new StatusView(tree, blockSizeBytes);
        workingDirectory = getHomeDirectory();
    }

    @Override
    public String getScheme() {
        return StoreSettings.SCHEME;
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    protected int getDefaultPort() {
        return StoreSettings.DEFAULT_PORT;
    }

    /** Scheme and address, with a port; also where Java finds no host in the address, as in one with an underscore. */
    @Override
    protected URI canonicalizeUri(URI name) {
        boolean isComplete = name.getAuthority() == null || name.getPort() >= 0;
        return isComplete ? name : URI.create(name.getScheme() + "://" + StoreSettings.authority(name));
    }

    /** Null: there are no delegation tokens. */
    @Override
    public String getCanonicalServiceName() {
        return null;
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        workingDirectory = absolute(directory);
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    /** Fails with an IllegalArgumentException if the path is one of another file system. */
    void requireOwn(Path path) {
        checkPath(path);
    }

    private Path absolute(Path path) {
        checkPath(path);
        URI text = path.toUri();
        return isPlain(text) ? new Path(uri.resolve(text)) : makeQualified(path); // the former parses nothing again
    }

    /** Whether an absolute path needs nothing but this file system's scheme and authority. */
    private boolean isPlain(URI path) {
        String text = path.getRawPath();
        return path.getScheme() == null
                && path.getRawAuthority() == null
                && path.getRawQuery() == null
                && uri.getRawAuthority() != null
                && text.startsWith(Path.SEPARATOR)
                && text.indexOf('%') < 0
                && (text.length() == 1 || !text.endsWith(Path.SEPARATOR));
    }

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
        Path path = absolute(file);
        statistics.incrementReadOps(1);
        return new FSDataInputStream(new CrailHadoopInputStream(store, tree.open(path), path, statistics));
    }

    /** Looks nothing up that Hadoop's own method would for arguments that make no difference. */
    @Override
    public FSDataOutputStream create(Path file, boolean overwrite) throws IOException {
        return create(absolute(file), masked(null), overwrite);
    }

    /** Applies the umask once, and does not parse it each time, as Hadoop's own method does. */
    @Override
    public FSDataOutputStream create(
            Path file, boolean overwrite, int bufferSize, short replication, long blockSize, Progressable progress)
            throws IOException {
        return create(absolute(file), masked(null), overwrite);
    }

    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(absolute(file), masked(permission), overwrite);
    }

    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return create(absolute(file), masked(permission), flags, true);
    }

    @Override
    @SuppressWarnings("deprecation") // Hadoop's own builder calls it
    public FSDataOutputStream createNonRecursive(
            Path file,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(absolute(file), masked(permission), flags, false);
    }

    @Override
    @SuppressWarnings("deprecation") // how a FileContext creates
    protected FSDataOutputStream primitiveCreate(
            Path file,
            FsPermission absolutePermission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return create(file, absolutePermission, flags, true);
    }

    /** As a FileContext creates: with exactly these permissions. */
    FSDataOutputStream create(
            Path file, FsPermission absolutePermission, EnumSet<CreateFlag> flags, boolean createParent)
            throws IOException {
        return create(absolute(file), absolutePermission.toShort(), flags, createParent);
    }

    /**
     * Creates, replaces or appends; asks what is there only if the flags make a difference that the namenode does not
     * make.
     */
    private FSDataOutputStream create(Path path, int permission, EnumSet<CreateFlag> flags, boolean createParent)
            throws IOException {
        statistics.incrementWriteOps(1);
        CreateFlag.validate(flags);
        boolean append = flags.contains(CreateFlag.APPEND);
        if (append || !flags.contains(CreateFlag.CREATE)) {
            boolean exists = tree.find(path) != null;
            CreateFlag.validate(path, exists, flags);
            if (exists && append) {
                return openForAppend(path);
            }
        }
        return openNew(path, permission, flags.contains(CreateFlag.OVERWRITE), createParent);
    }

    private FSDataOutputStream create(Path path, int permission, boolean overwrite) throws IOException {
        statistics.incrementWriteOps(1);
        return openNew(path, permission, overwrite, true);
    }

    @Override
    public FSDataOutputStream append(Path file, int bufferSize, Progressable progress) throws IOException {
        Path path = absolute(file);
        statistics.incrementWriteOps(1);
        return openForAppend(path);
    }

    private FSDataOutputStream openNew(Path path, int permission, boolean overwrite, boolean createParent)
            throws IOException {
        outputs.checkOpen(path);
        CrailFile file = tree.createFile(path, permission, overwrite, createParent);
        CrailBufferedOutputStream stream = Failures.call(path, () -> file.getBufferedOutputStream(0));
        return new FSDataOutputStream(outputs.add(stream, path), statistics);
    }

    private FSDataOutputStream openForAppend(Path path) throws IOException {
        outputs.checkOpen(path);
        CrailFile file = tree.open(path);
        CrailBufferedOutputStream stream = Failures.call(path, () -> file.openBufferedForAppend(0));
        return new FSDataOutputStream(outputs.add(stream, path), statistics, file.getCapacity());
    }

    private int masked(FsPermission permission) {
        FsPermission wanted = permission == null ? FsPermission.getFileDefault() : permission;
        return umask.applyTo(wanted, getConf()).toShort();
    }

    @Override
    public boolean rename(Path source, Path destination) throws IOException {
        Path from = absolute(source);
        Path to = absolute(destination);
        statistics.incrementWriteOps(1);
        if (from.equals(to)) {
            NodeStatus itself = tree.find(from);
            return itself != null && !itself.file().getType().isContainer();
        }
        try {
            tree.move(from, to, MoveMode.INTO);
            return true;
        } catch (CrailException e) {
            return switch (e.code()) {
                case NODE_NOT_FOUND,
                        PARENT_NOT_FOUND,
                        PARENT_NOT_CONTAINER,
                        NODE_EXISTS,
                        INVALID_MOVE,
                        NODE_TYPE_MISMATCH -> {
                    LOGGER.debug("cannot rename {} to {}", from, to, e);
                    yield false;
                }
                default -> throw Failures.translate(from + " to " + to, e);
            };
        }
    }

    /** In one step; the destination is meant exactly. */
    @Override
    @SuppressWarnings("deprecation") // how trash and FileContext rename
    public void rename(Path source, Path destination, Options.Rename... options) throws IOException {
        Path from = absolute(source);
        Path to = absolute(destination);
        boolean overwrite = Arrays.asList(options).contains(Options.Rename.OVERWRITE);
        statistics.incrementWriteOps(1);
        if (from.equals(to)) {
            NodeStatus ignored = tree.require(from);
            throw new FileAlreadyExistsException(from + " and " + to + " are the same");
        }
        try {
            tree.move(from, to, overwrite ? MoveMode.REPLACE : MoveMode.EXACT);
        } catch (CrailException e) {
            throw Failures.translate(from + " to " + to, e);
        }
    }

    @Override
    public boolean delete(Path file, boolean recursive) throws IOException {
        statistics.incrementWriteOps(1);
        return tree.delete(absolute(file), recursive);
    }

    @Override
    public FileStatus[] listStatus(Path directory) throws IOException {
        return view.list(absolute(directory), statistics);
    }

    /** In no particular order; asks for some pages before they are needed. */
    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path directory) throws IOException {
        return view.iterate(absolute(directory), statistics);
    }

    /**
     * In no particular order; asks for the places of many files together. A file that is deleted meanwhile is left out.
     */
    @Override
    protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path directory, PathFilter filter)
            throws IOException {
        return view.iterateWithPlaces(absolute(directory), filter, statistics);
    }

    @Override
    public boolean mkdirs(Path directory, FsPermission permission) throws IOException {
        FsPermission wanted = permission == null ? FsPermission.getDirDefault() : permission;
        statistics.incrementWriteOps(1);
        tree.mkdirs(absolute(directory), masked(wanted));
        return true;
    }

    @Override
    @SuppressWarnings("deprecation") // how a FileContext makes directories
    protected boolean primitiveMkdir(Path directory, FsPermission absolutePermission) throws IOException {
        statistics.incrementWriteOps(1);
        tree.mkdirs(absolute(directory), absolutePermission.toShort());
        return true;
    }

    @Override
    @SuppressWarnings("deprecation") // how a FileContext makes directories
    protected void primitiveMkdir(Path directory, FsPermission absolutePermission, boolean createParent)
            throws IOException {
        statistics.incrementWriteOps(1);
        if (createParent) {
            tree.mkdirs(absolute(directory), absolutePermission.toShort());
        } else {
            boolean ignored = tree.mkdir(absolute(directory), absolutePermission.toShort(), true);
        }
    }

    @Override
    public FileStatus getFileStatus(Path file) throws IOException {
        Path path = absolute(file);
        statistics.incrementReadOps(1);
        return view.of(tree.require(path), path);
    }

    @Override
    public void setOwner(Path file, String owner, String group) throws IOException {
        statistics.incrementWriteOps(1);
        tree.change(absolute(file), StatusChange.ofOwner(owner, group));
    }

    @Override
    public void setPermission(Path file, FsPermission permission) throws IOException {
        statistics.incrementWriteOps(1);
        tree.change(absolute(file), StatusChange.ofPermission(permission.toShort()));
    }

    /** Sets the times; -1 keeps one. */
    @Override
    public void setTimes(Path file, long modificationTimeMs, long accessTimeMs) throws IOException {
        statistics.incrementWriteOps(1);
        tree.change(absolute(file), StatusChange.ofTimes(time(modificationTimeMs), time(accessTimeMs)));
    }

    /** Hadoop's -1, which keeps a time, is also the millisecond before 1970; every other time can be set. */
    private static long time(long timeMs) {
        return timeMs == -1 ? StatusChange.KEEP_TIME : Math.max(timeMs, StatusChange.KEEP_TIME + 1);
    }

    /** Sets when files go by themselves, see {@link LifetimeAttributes}. */
    @Override
    public void setXAttr(Path file, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        statistics.incrementWriteOps(1);
        tree.change(absolute(file), LifetimeAttributes.set(file, name, value));
    }

    @Override
    public void removeXAttr(Path file, String name) throws IOException {
        statistics.incrementWriteOps(1);
        tree.change(absolute(file), LifetimeAttributes.remove(file, name));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path file) throws IOException {
        statistics.incrementReadOps(1);
        return LifetimeAttributes.of(tree.require(absolute(file)));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path file, List<String> names) throws IOException {
        Map<String, byte[]> attributes = getXAttrs(file);
        attributes.keySet().retainAll(names);
        return attributes;
    }

    @Override
    public byte[] getXAttr(Path file, String name) throws IOException {
        return getXAttrs(file).get(name);
    }

    @Override
    public List<String> listXAttrs(Path file) throws IOException {
        return List.copyOf(getXAttrs(file).keySet());
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
        if (file == null) {
            return null;
        }
        if (start < 0 || length < 0) {
            throw new IllegalArgumentException("Invalid start or len parameter: " + start + ", " + length);
        }
        statistics.incrementReadOps(1);
        long bytes = Math.min(length, file.getLen() - start);
        if (file.isDirectory() || bytes <= 0) {
            return new BlockLocation[0];
        }
        Path path = absolute(file.getPath());
        List<CrailBlockLocation> blocks = Failures.await(path, () -> tree.askForBlocks(path, start, bytes));
        if (blocks == null) {
            throw PathTree.missing(path);
        }
        return StatusView.places(file, blocks);
    }

    @Override
    public FsStatus getStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        StoreCapacity capacity = tree.capacity();
        long used = capacity.totalBytes() - capacity.freeBytes();
        return new FsStatus(capacity.totalBytes(), used, capacity.freeBytes());
    }

    @Override
    @SuppressWarnings("deprecation") // callers of the old method get the same
    public long getDefaultBlockSize() {
        return blockSizeBytes;
    }

    @Override
    public long getDefaultBlockSize(Path path) {
        return blockSizeBytes;
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        String known = PathCapabilitiesSupport.validatePathCapabilityArgs(path, capability);
        checkPath(path);
        return switch (known) {
            case CommonPathCapabilities.FS_APPEND, CommonPathCapabilities.FS_PERMISSIONS -> true;
            default -> super.hasPathCapability(path, capability);
        };
    }

    /**
     * Completes the files that are still being written, and deletes those that were to be deleted in the end. A failure
     * keeps nothing from being closed, and is thrown then; that a file is gone is none.
     */
    @Override
    public void close() throws IOException {
        Failures.closeAll(uri, List.of(() -> outputs.completeAll(uri), super::close, this::closeStore));
    }

    private void closeStore() throws Exception {
        if (store != null && !sharedStore) {
            store.close();
        }
    }

    @Override
    public String toString() {
        return "CrailHadoopFileSystem{" + uri + "}";
    }
}
