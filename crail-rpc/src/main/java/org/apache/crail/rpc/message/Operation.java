/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;

/** The operations of the metadata plane, each with one request and one response type. Immutable. */
public enum Operation {
    /** Opens a session; must come first on every connection. */
    HELLO(0),

    /** Creates a node. */
    CREATE(1),

    /** Finds a node by path; optionally takes its write token. */
    LOOKUP(2),

    /** Sets a file's capacity, renews or gives back its write token. */
    SYNC(3),

    /** Removes a node. */
    REMOVE(4),

    /** Gives a node another path. */
    MOVE(5),

    /** Translates positions of a node to blocks; allocates them for its writer. */
    MAP(6),

    /** Translates positions of a path to blocks. */
    LOCATE(7),

    /** Adds a datanode's regions to the free blocks. */
    REGISTER(8),

    /** Tells that a datanode lives. */
    HEARTBEAT(9),

    /** Lists a container's children with their names, page by page. */
    CHILDREN(10),

    /** Describes the cluster: datanodes, capacity, nodes. */
    REPORT(11),

    /** Counts all blocks and compares with the books. */
    CHECK(12),

    /** Answers the number sent plus one. */
    PING(13),

    /** Tells all that is known of a node. */
    STATUS(14),

    /** Sets owner, group, permission or times of a node. */
    CHANGE(15),

    /** Gives up a datanode that is silent or stopped. */
    FORGET(16),

    /** Ends the session: the client will not come back. */
    GOODBYE(17);

    private static final Operation[] BY_NUMBER = values();

    private final int number;

    Operation(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the operation with a number on the wire. */
    public static Operation ofNumber(int number) throws CrailException {
        if (number < 0 || number >= BY_NUMBER.length) {
            throw new InvalidRequestException(
                    "operation " + number + " does not exist; this release knows 0 to " + (BY_NUMBER.length - 1));
        }
        return BY_NUMBER[number];
    }

    /**
     * Reads a request of this operation.
     *
     * @throws CrailException if the bytes are not such a request
     */
    public Request<?> decodeRequest(ByteBuffer in) throws CrailException {
        return Wire.decode(in, decoder(), this);
    }

    private Decoder<? extends Request<?>> decoder() {
        return switch (this) {
            case HELLO -> HelloRequest::decode;
            case CREATE -> CreateRequest::decode;
            case LOOKUP -> LookupRequest::decode;
            case SYNC -> SyncRequest::decode;
            case REMOVE -> RemoveRequest::decode;
            case MOVE -> MoveRequest::decode;
            case MAP -> MapRequest::decode;
            case LOCATE -> LocateRequest::decode;
            case REGISTER -> RegisterRequest::decode;
            case HEARTBEAT -> HeartbeatRequest::decode;
            case CHILDREN -> ChildrenRequest::decode;
            case REPORT -> ReportRequest::decode;
            case CHECK -> CheckRequest::decode;
            case PING -> PingRequest::decode;
            case STATUS -> StatusRequest::decode;
            case CHANGE -> ChangeRequest::decode;
            case FORGET -> ForgetRequest::decode;
            case GOODBYE -> GoodbyeRequest::decode;
        };
    }
}
