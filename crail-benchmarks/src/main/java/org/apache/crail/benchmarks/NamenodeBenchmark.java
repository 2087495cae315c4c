/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;
import org.apache.crail.rpc.message.ResponseFrame;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Operations of a namenode in process, without any transport; by one thread unless JMH is told otherwise ({@code -t
 * 2}).
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@State(Scope.Benchmark)
@Threads(1)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class NamenodeBenchmark {
    private static final int REPLY_BYTES = 1024;
    private static final long SPARE_BLOCKS = 4_000_000;
    private static final int NEW_FILES = 100_000;

    /** Files in the tree. */
    @Param("100000")
    int files;

    private FileTree tree;
    private LocalNamenode namenode;
    private LookupRequest[] lookups;
    private ByteBuffer[] messages;

    /** Fills the tree, and makes requests in the order in which they will be used, as those that arrive are. */
    @Setup(Level.Trial)
    public void fill() throws CrailException {
        tree = new FileTree(files);
        namenode = LocalNamenode.start(files + SPARE_BLOCKS, 1);
        tree.create(namenode.service());
        lookups = tree.lookups();
        messages = new ByteBuffer[files];
        for (int i = 0; i < files; i++) {
            messages[i] = ByteBuffer.allocateDirect(lookups[i].encodedLength());
            lookups[i].encode(messages[i]);
            messages[i].flip();
        }
    }

    /** Ends the namenode after its books have been checked. */
    @TearDown(Level.Trial)
    public void check() throws CrailException {
        namenode.check();
        namenode.close();
    }

    /** Finds a file. */
    @Benchmark
    public LookupResponse lookup(Visitor visitor) throws CrailException {
        return namenode.service().lookup(lookups[visitor.next()]);
    }

    /** Finds a file, from the bytes of the request to those of the answer. */
    @Benchmark
    public ByteBuffer lookupOfMessage(Visitor visitor) throws CrailException {
        int index = visitor.next();
        ByteBuffer message = messages[index];
        message.rewind();
        LookupRequest request = (LookupRequest) Operation.LOOKUP.decodeRequest(message);
        ResponseFrame.success(index, namenode.service().lookup(request)).encode(visitor.reply.clear());
        return visitor.reply;
    }

    /** Creates a file of one block and removes it; two operations. */
    @Benchmark
    public RemoveResponse createAndRemove(NewFiles own) throws CrailException {
        int index = own.next();
        CreateResponse created = namenode.service().create(own.creates[index]);
        RemoveResponse removed = namenode.service().remove(own.removes[index]);
        if (created.file().getFd() != removed.file().getFd()) {
            throw new IllegalStateException("another file has been removed");
        }
        return removed;
    }

    /**
     * Creates files of one block, which are removed outside the time that {@code ops/s} counts, but for the blocks that
     * become free meanwhile, and for what other threads remove; {@code cpu.rate} counts all of it.
     */
    @Benchmark
    @OperationsPerInvocation(NEW_FILES)
    public void create(Creation creation) throws CrailException {
        creation.createAll();
    }

    /** A thread's way through the lookups: none is used by another thread. */
    @State(Scope.Thread)
    public static class Visitor {
        private final ByteBuffer reply = ByteBuffer.allocateDirect(REPLY_BYTES);
        private int begin;
        private int end;
        private int next;

        /** Takes this thread's part of them. */
        @Setup(Level.Trial)
        public void begin(NamenodeBenchmark benchmark, ThreadParams thread) {
            int part = benchmark.files / thread.getThreadCount();
            begin = thread.getThreadIndex() * part;
            end = begin + part;
            next = begin;
        }

        private int next() {
            int index = next;
            next = index + 1 < end ? index + 1 : begin;
            return index;
        }
    }

    /** Requests for files that are not there yet, of one thread. */
    @State(Scope.Thread)
    public static class NewFiles {
        private final CreateRequest[] creates = new CreateRequest[NEW_FILES];
        private final RemoveRequest[] removes = new RemoveRequest[NEW_FILES];
        private int next;

        /** Makes them, in the order in which they will be used. */
        @Setup(Level.Trial)
        public void begin(NamenodeBenchmark benchmark, ThreadParams thread) throws CrailException {
            FileTree tree = benchmark.tree;
            String suffix = "-new-" + thread.getThreadIndex() + "-";
            for (int i = 0; i < NEW_FILES; i++) {
                String path = tree.path(tree.fileOfVisit(i)) + suffix + i;
                creates[i] = FileTree.create(path, CrailNodeType.DATAFILE);
                removes[i] = new RemoveRequest(creates[i].path(), false);
            }
        }

        private int next() {
            next = next + 1 < NEW_FILES ? next + 1 : 0;
            return next;
        }
    }

    /** Files that one thread creates, and that are gone before it does so again. */
    @State(Scope.Thread)
    public static class Creation {
        private LocalNamenode namenode;
        private NewFiles files;

        /** Takes this thread's requests. */
        @Setup(Level.Trial)
        public void begin(NamenodeBenchmark benchmark, NewFiles own) {
            namenode = benchmark.namenode;
            files = own;
        }

        private void createAll() throws CrailException {
            for (CreateRequest request : files.creates) {
                namenode.service().create(request);
            }
        }

        /** Removes what was created. */
        @TearDown(Level.Invocation)
        public void removeAll() throws CrailException {
            for (RemoveRequest request : files.removes) {
                namenode.service().remove(request);
            }
        }
    }
}
