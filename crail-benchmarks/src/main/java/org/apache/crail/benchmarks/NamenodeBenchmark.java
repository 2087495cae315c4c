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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Operations of a namenode in process, by one thread, without any transport. */
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

    /** Files in the tree. */
    @Param("100000")
    int files;

    private final ByteBuffer reply = ByteBuffer.allocateDirect(REPLY_BYTES);
    private LocalNamenode namenode;
    private LookupRequest[] lookups;
    private ByteBuffer[] messages;
    private CreateRequest[] creates;
    private RemoveRequest[] removes;
    private int next;

    /** Fills the tree, and makes requests in the order in which they will be used, as those that arrive are. */
    @Setup(Level.Trial)
    public void fill() throws CrailException {
        FileTree tree = new FileTree(files);
        namenode = LocalNamenode.start(files + SPARE_BLOCKS, 1);
        tree.create(namenode.service());
        lookups = tree.lookups();
        messages = new ByteBuffer[files];
        for (int i = 0; i < files; i++) {
            messages[i] = ByteBuffer.allocateDirect(lookups[i].encodedLength());
            lookups[i].encode(messages[i]);
            messages[i].flip();
        }
        creates = new CreateRequest[files];
        removes = new RemoveRequest[files];
        for (int i = 0; i < files; i++) {
            creates[i] = FileTree.create(tree.path(tree.fileOfVisit(i)) + "-new", CrailNodeType.DATAFILE);
            removes[i] = new RemoveRequest(creates[i].path(), false);
        }
    }

    /** Ends the namenode after its books have been checked. */
    @TearDown(Level.Trial)
    public void check() throws CrailException {
        namenode.check();
        namenode.close();
    }

    private int next() {
        next = next + 1 < files ? next + 1 : 0;
        return next;
    }

    /** Finds a file. */
    @Benchmark
    public LookupResponse lookup() throws CrailException {
        return namenode.service().lookup(lookups[next()]);
    }

    /** Finds a file, from the bytes of the request to those of the answer. */
    @Benchmark
    public ByteBuffer lookupOfMessage() throws CrailException {
        ByteBuffer message = messages[next()];
        message.rewind();
        LookupRequest request = (LookupRequest) Operation.LOOKUP.decodeRequest(message);
        ResponseFrame.success(next, namenode.service().lookup(request)).encode(reply.clear());
        return reply;
    }

    /** Creates a file of one block and removes it; two operations. */
    @Benchmark
    public RemoveResponse createAndRemove() throws CrailException {
        int index = next();
        CreateResponse created = namenode.service().create(creates[index]);
        RemoveResponse removed = namenode.service().remove(removes[index]);
        if (created.file().getFd() != removed.file().getFd()) {
            throw new IllegalStateException("another file has been removed");
        }
        return removed;
    }
}
