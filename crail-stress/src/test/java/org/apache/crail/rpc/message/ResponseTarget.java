/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.fuzz.Limits;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.StatusChange;

/** Answers as a client reads them: the number of the operation, a status, and the rest. Stateless. */
public final class ResponseTarget {
    private static final CrailPath PATH = CrailPath.ROOT;
    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, "host", 1);
    private static final Map<Operation, Request<?>> REQUESTS = new EnumMap<>(Operation.class);

    static {
        List.of(
                        new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "", 1, 2, 0),
                        new CreateRequest(PATH, CrailNodeType.DATAFILE, 0, 0, true),
                        new LookupRequest(PATH, false),
                        new SyncRequest(1, 2, 3, SyncRequest.End.CLOSED),
                        new RemoveRequest(PATH, true),
                        new MoveRequest(PATH, PATH, MoveMode.REPLACE),
                        new MapRequest(1, 2, 3, 4),
                        new LocateRequest(PATH, 1, 2),
                        new RegisterRequest(DATANODE, 1, List.of()),
                        new HeartbeatRequest(DATANODE, 1),
                        new ChildrenRequest(PATH, "a", 2),
                        new ReportRequest(0),
                        new CheckRequest(),
                        new PingRequest(1),
                        new StatusRequest(PATH),
                        new ChangeRequest(PATH, StatusChange.ofTimes(1, 2)),
                        new ForgetRequest("host:1"),
                        new GoodbyeRequest())
                .forEach(request -> REQUESTS.put(request.operation(), request));
    }

    private ResponseTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> take(input));
    }

    private static void take(byte[] input) {
        if (input.length < 2 * Short.BYTES) {
            return;
        }
        ByteBuffer in = ByteBuffer.wrap(input);
        try {
            Request<?> request = REQUESTS.get(Operation.ofNumber(in.getShort()));
            int status = in.getShort();
            if (status == ResponseFrame.OK) {
                RoundTrip.check(request.decodeResponse(in), request::decodeResponse);
            } else {
                error(status, in);
            }
        } catch (CrailException refused) {
            return;
        }
    }

    private static void error(int status, ByteBuffer in) {
        CrailException error = ResponseFrame.decodeError(status, in);
        boolean isKnown = ErrorCode.ofNumber(status).number() == status;
        ResponseFrame sentOn = ResponseFrame.failure(1, error);
        if (isKnown && sentOn.status() != status) {
            throw new AssertionError("error " + status + " became " + sentOn.status());
        }
        RoundTrip.encoded(sentOn);
    }
}
