/* SPDX-License-Identifier: Apache-2.0 */
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.apache.crail.shaded.io.netty.channel.epoll.Epoll;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ToolRunner;

/**
 * A user's program for Hadoop: commands of {@code hadoop fs}, a file system and a file context, compared byte by byte.
 *
 * <p>Usage: java Program.java NEW-FOLDER LOCAL-FILE LOCAL-FOLDER
 */
final class Program {
    private final Configuration conf = new Configuration();
    private final String root;
    private final java.nio.file.Path original;
    private final java.nio.file.Path local;
    private final byte[] bytes;

    private Program(String root, String original, String local) throws Exception {
        this.root = root;
        this.original = java.nio.file.Path.of(original);
        this.local = Files.createDirectories(java.nio.file.Path.of(local));
        this.bytes = Files.readAllBytes(this.original);
    }

    public static void main(String[] arguments) throws Exception {
        Program program = new Program(arguments[0], arguments[1], arguments[2]);
        program.commands();
        program.fileSystem();
        program.fileContext();
        Epoll.ensureAvailability(); // the native library is found by the name that it has in the jar
    }

    private void commands() throws Exception {
        String folder = root + "/commands";
        run(0, "-mkdir", "-p", folder);
        run(0, "-put", original.toString(), folder + "/first");
        run(1, "-put", original.toString(), folder + "/first");
        run(0, "-cp", folder + "/first", folder + "/copy");
        run(0, "-mv", folder + "/first", folder + "/moved");
        run(1, "-test", "-e", folder + "/first");
        run(0, "-appendToFile", original.toString(), folder + "/moved");
        run(0, "-get", folder + "/copy", local.resolve("copy").toString());
        expect("a copy", Files.readAllBytes(local.resolve("copy")), bytes);
        run(0, "-getmerge", folder, local.resolve("merged").toString());
        expect("all files", Files.readAllBytes(local.resolve("merged")), repeated(3));
        run(0, "-rm", "-r", "-skipTrash", folder);
        run(1, "-test", "-e", folder);
    }

    private void run(int status, String... command) throws Exception {
        expect(String.join(" ", command), ToolRunner.run(conf, new FsShell(), command), status);
    }

    private byte[] repeated(int times) {
        ByteBuffer all = ByteBuffer.allocate(times * bytes.length);
        while (all.hasRemaining()) {
            all.put(bytes);
        }
        return all.array();
    }

    private void fileSystem() throws Exception {
        Path file = new Path(root + "/fileSystem/file");
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            try (FSDataOutputStream out = fs.createFile(file).recursive().build()) {
                out.write(bytes);
                out.hflush();
                expect("length", fs.getFileStatus(file).getLen(), (long) bytes.length);
            }
            try (FSDataInputStream in = fs.open(file)) {
                int half = bytes.length / 2;
                byte[] end = new byte[bytes.length - half];
                in.readFully(half, end);
                expect("the second half", end, Arrays.copyOfRange(bytes, half, bytes.length));
                List<FileRange> ranges =
                        List.of(FileRange.createFileRange(half, end.length), FileRange.createFileRange(0, half));
                in.readVectored(ranges, ByteBuffer::allocate);
                expect("a range at the end", ranges.get(0).getData().get(), ByteBuffer.wrap(end));
                expect("a range at the begin", ranges.get(1).getData().get(), ByteBuffer.wrap(bytes, 0, half));
                expect("all", in.readAllBytes(), bytes);
            }
        }
    }

    private void fileContext() throws Exception {
        FileContext context = FileContext.getFileContext(conf);
        Path folder = new Path(root + "/fileContext");
        Path written = new Path(folder, "written");
        Path replaced = new Path(folder, "replaced");
        for (Path file : List.of(written, replaced)) {
            try (FSDataOutputStream out =
                    context.create(file, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
                out.write(bytes, 0, file == written ? bytes.length : 1);
            }
        }
        context.rename(written, replaced, Options.Rename.OVERWRITE);
        context.util().copy(replaced, new Path(folder, "copy"));
        for (FileStatus status : context.util().listStatus(folder)) {
            try (FSDataInputStream in = context.open(status.getPath())) {
                expect(status.getPath().toString(), in.readAllBytes(), bytes);
            }
        }
        expect("files", context.util().listStatus(folder).length, 2);
        expect("deleted", context.delete(folder, true), true);
        expect("exists", context.util().exists(folder), false);
    }

    private static void expect(String what, Object found, Object expected) {
        if (!Objects.deepEquals(found, expected)) {
            throw new AssertionError(what + ": " + found + " instead of " + expected);
        }
    }
}
