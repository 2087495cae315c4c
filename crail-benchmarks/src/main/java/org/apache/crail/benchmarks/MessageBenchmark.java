/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Encoding and decoding of the messages of a lookup, by one thread. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@State(Scope.Benchmark)
@Threads(1)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class MessageBenchmark {
    private static final int MESSAGE_BYTES = 1024;

    private final ByteBuffer requestBytes = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    private final ByteBuffer responseBytes = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    private LookupRequest request;
    private RequestFrame requestFrame;
    private ResponseFrame responseFrame;

    /** Makes the messages. */
    @Setup
    public void prepare() throws CrailException {
        request = new LookupRequest(CrailPath.parse("/shuffle/stage-7/part-00042"), false);
        requestFrame = new RequestFrame(1000, 990, request);
        FileInfo file = new FileInfo(4711, CrailNodeType.DATAFILE, 1 << 20, 0, 1_700_000_000_000L, true, 0, 0, 0, 0);
        BlockInfo block = new BlockInfo(new DataNodeInfo(0, 0, 1, "10.0.0.7", 50020), 1 << 20, 0, 1 << 20, 1, 17);
        LookupResponse response = new LookupResponse(file, block);
        responseFrame = ResponseFrame.success(1000, response);
        request.encode(requestBytes);
        requestBytes.flip();
        response.encode(responseBytes);
        responseBytes.flip();
    }

    /** Writes a request with its header. */
    @Benchmark
    public ByteBuffer encodeRequest() {
        requestFrame.encode(out.clear());
        return out;
    }

    /** Reads a request. */
    @Benchmark
    public Request<?> decodeRequest() throws CrailException {
        return Operation.LOOKUP.decodeRequest(requestBytes.rewind());
    }

    /** Writes an answer with its header. */
    @Benchmark
    public ByteBuffer encodeResponse() {
        responseFrame.encode(out.clear());
        return out;
    }

    /** Reads an answer. */
    @Benchmark
    public LookupResponse decodeResponse() throws CrailException {
        return request.decodeResponse(responseBytes.rewind());
    }
}
