/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;

/** The operations of the metadata plane, each with one request and one response type. Immutable. */
public enum Operation {
    /** Opens a session; must come first on every connection. */
    HELLO(0, HelloRequest::decode),

    /** Creates a node. */
    CREATE(1, CreateRequest::decode),

    /** Finds a node by path; optionally takes its write token. */
    LOOKUP(2, LookupRequest::decode),

    /** Sets a file's capacity, renews or gives back its write token. */
    SYNC(3, SyncRequest::decode),

    /** Removes a node. */
    REMOVE(4, RemoveRequest::decode),

    /** Gives a node another path. */
    MOVE(5, MoveRequest::decode),

    /** Translates positions of a node to blocks; allocates them for its writer. */
    MAP(6, MapRequest::decode),

    /** Translates positions of a path to blocks. */
    LOCATE(7, LocateRequest::decode),

    /** Adds a datanode's regions to the free blocks. */
    REGISTER(8, RegisterRequest::decode),

    /** Tells that a datanode lives. */
    HEARTBEAT(9, HeartbeatRequest::decode),

    /** Tells which nodes live in a container's slots. */
    SLOTS(10, SlotsRequest::decode),

    /** Lists a container's children with their names, page by page. */
    CHILDREN(11, ChildrenRequest::decode),

    /** Describes the cluster: datanodes, capacity, nodes. */
    REPORT(12, ReportRequest::decode),

    /** Counts all blocks and compares with the books. */
    CHECK(13, CheckRequest::decode),

    /** Answers the number sent plus one. */
    PING(14, PingRequest::decode),

    /** Tells the children that live in a container's slots, with their names. */
    OCCUPANTS(15, OccupantsRequest::decode),

    /** Tells all that is known of a node. */
    STATUS(16, StatusRequest::decode),

    /** Sets owner, group, permission or times of a node. */
    CHANGE(17, ChangeRequest::decode),

    /** Gives up a datanode that is silent or stopped. */
    FORGET(18, ForgetRequest::decode),

    /** Ends the session: the client will not come back. */
    GOODBYE(19, GoodbyeRequest::decode);

    private static final Operation[] BY_NUMBER = values();

    private final int number;
    private final Decoder<? extends Request<?>> decoder;

    Operation(int number, Decoder<? extends Request<?>> decoder) {
        this.number = number;
        this.decoder = decoder;
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
        return Wire.decode(in, decoder, this);
    }
}
