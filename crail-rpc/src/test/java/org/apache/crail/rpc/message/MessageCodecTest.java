/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.Region;
import org.apache.crail.metadata.StatusChange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is encoded is decoded as it was, and what is no message is refused. */
class MessageCodecTest {
    private static final CrailPath PATH = path("/größe/файл");
    private static final FileInfo FILE = new FileInfo(7, CrailNodeType.KEYVALUE, 3L << 33, -5, 17, true, 3, 1, 9, 77);
    private static final FileInfo HIDDEN = new FileInfo(8, CrailNodeType.DATAFILE, 1, -6, 18, false, 0, 2, 8, 78);
    private static final Ownership OWNERSHIP = new Ownership("é", "", 01777);
    private static final NodeStatus STATUS = new NodeStatus("ä", FILE, OWNERSHIP, 5);
    private static final NodeStatus MOVED = new NodeStatus("n", FILE, OWNERSHIP, 6);
    private static final DataNodeInfo DATANODE = new DataNodeInfo(1, 2, 3, "fe80::1", 50020, "ns=1 nqn=ä");
    private static final BlockInfo BLOCK = new BlockInfo(DATANODE, 5L << 40, 6L << 40, 1 << 20, 11, 12);
    private static final Region REGION = new Region(1 << 20, 5, 3L << 30, 8);

    private static Map<Request<?>, Response> conversations() {
        Map<Request<?>, Response> all = new LinkedHashMap<>();
        all.put(
                new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "crail", 3, 4, 5),
                new HelloResponse("c", 1, 2, 3, 4, 5));
        all.put(
                new CreateRequest(PATH, CrailNodeType.DATAFILE, -1, 0, false),
                new CreateResponse(HIDDEN, BLOCK, false));
        all.put(new LookupRequest(CrailPath.ROOT, true), new LookupResponse(FILE, null));
        all.put(new SyncRequest(1, 2, 3, SyncRequest.End.UNTOUCHED), new SyncResponse(4, 5));
        all.put(new RemoveRequest(PATH, false), new RemoveResponse(FILE, 9));
        all.put(new MoveRequest(PATH, path("b"), MoveMode.REPLACE), new MoveResponse(FILE, PATH));
        all.put(
                new MapRequest(1, 2, 3, 4, BLOCK.part(0, 512)),
                new MapResponse(6, List.of(BLOCK, BLOCK.part(4096, 512))));
        all.put(new LocateRequest(PATH, 3, 4), new MapResponse(0, List.of()));
        all.put(new RegisterRequest(DATANODE, 5, "a medium", 7, 8, true, List.of(REGION)), new RegisterResponse(6, 9));
        all.put(new ForgetRequest("host:1 [disk]"), new ForgetResponse(3));
        all.put(new HeartbeatRequest(DATANODE, 5, true), new HeartbeatResponse(6));
        all.put(new ChildrenRequest(PATH, "é", 2), new ChildrenResponse(1, List.of(STATUS), true));
        all.put(
                new CreateRequest(PATH, CrailNodeType.DATAFILE, -1, 0, true, true, OWNERSHIP, 9),
                new CreateResponse(FILE, null, true));
        all.put(new StatusRequest(PATH), new StatusResponse(STATUS));
        all.put(new ChangeRequest(PATH, StatusChange.ofOwner("é", null)), new StatusResponse(STATUS));
        all.put(new ChangeRequest(PATH, StatusChange.ofTimes(1, 2)), new StatusResponse(MOVED));
        all.put(
                new ChangeRequest(PATH, StatusChange.ofTimeToLive(Duration.ofSeconds(3))),
                new StatusResponse(new NodeStatus("n", FILE, OWNERSHIP, 6, new Lifetime(7, 8, true))));
        all.put(
                new ReportRequest(6),
                new ReportResponse(
                        "c", 1, 2, 3, 5, 6, 8, 7, List.of(new DatanodeReport(DATANODE, false, true, 1, 2, 3, 4))));
        all.put(new CheckRequest(), new CheckResponse(1, 2, 3, 4, 5, 6, List.of("a", "b")));
        all.put(new PingRequest(1), new PingResponse(2));
        all.put(new GoodbyeRequest(), new GoodbyeResponse());
        return all;
    }

    static Stream<Request<?>> requests() {
        return conversations().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldDecodeTheRequestThatWasEncoded(Request<?> request) throws Exception {
        assertThat(request.operation().decodeRequest(encode(request))).isEqualTo(request);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldDecodeTheResponseThatWasEncoded(Request<?> request) throws Exception {
        Response response = conversations().get(request);

        assertThat(request.decodeResponse(encode(response))).isEqualTo(response);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldRefuseARequestThatEndsEarly(Request<?> request) {
        byte[] whole = encode(request).array();
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer part = ByteBuffer.wrap(Arrays.copyOf(whole, length));

            assertThatThrownBy(() -> request.operation().decodeRequest(part)).isInstanceOf(CrailException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldRefuseARequestThatIsFollowedByMore(Request<?> request) {
        byte[] whole = encode(request).array();

        assertThatThrownBy(() ->
                        request.operation().decodeRequest(ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 1))))
                .isInstanceOf(ProtocolMismatchException.class)
                .hasMessageContaining(request.operation().name());
    }

    @Test
    void shouldCoverEveryOperation() {
        assertThat(requests().map(Request::operation).distinct()).containsExactlyInAnyOrder(Operation.values());
    }

    @Test
    void shouldCarryChildrenOfDifferentOwners() throws Exception {
        List<NodeStatus> children = new ArrayList<>();
        for (String owner : List.of("a", "a", "b", "ab", "", "", "é", "é", "e", "\u00e9\u00e9", "??")) {
            children.add(new NodeStatus("n", FILE, new Ownership(owner, "g", 1), 5));
            children.add(new NodeStatus("n", FILE, new Ownership("a", owner, 1), 5));
            children.add(new NodeStatus("n", FILE, new Ownership("a", owner, 2), 5));
            children.add(new NodeStatus("n", FILE, new Ownership("a", owner, 2), 6));
        }
        ChildrenRequest request = new ChildrenRequest(PATH, "é", 2);
        ChildrenResponse response = new ChildrenResponse(1, children, false);
        ByteBuffer whole = encode(response);

        assertThat(request.decodeResponse(whole.duplicate())).isEqualTo(response);
        for (int length = 0; length < whole.limit(); length++) {
            ByteBuffer part = whole.duplicate().limit(length);
            assertThatThrownBy(() -> request.decodeResponse(part)).isInstanceOf(CrailException.class);
        }
    }

    @Test
    void shouldTellTheOwnerOfNeighboursOnce() {
        NodeStatus other = new NodeStatus("n", FILE, new Ownership("b", "", 1), 5);
        int owner = Wire.ownershipLength(OWNERSHIP);

        assertThat(ChildrenResponse.encodedLength(STATUS, STATUS))
                .isEqualTo(ChildrenResponse.encodedLength(STATUS, null) - owner)
                .isEqualTo(ChildrenResponse.encodedLength(STATUS, other) - owner);
        assertThat(encode(new ChildrenResponse(1, List.of(STATUS, STATUS, STATUS), false))
                        .limit())
                .isEqualTo(3 * ChildrenResponse.encodedLength(STATUS, null) - 2 * owner + 8 + 4 + 1);
    }

    @Test
    void shouldRefuseAFirstChildWithTheOwnerOfAFormerOne() {
        ChildrenRequest request = new ChildrenRequest(PATH, "é", 2);
        int one = encode(new ChildrenResponse(1, List.of(STATUS), false)).limit();
        ByteBuffer two = encode(new ChildrenResponse(1, List.of(STATUS, STATUS), false));
        ByteBuffer second = ByteBuffer.allocate(8 + 1 + 4 + two.limit() - one);
        second.putLong(1)
                .put((byte) 1)
                .putInt(1)
                .put(two.duplicate().position(one))
                .flip();

        assertThatThrownBy(() -> request.decodeResponse(second))
                .isInstanceOf(ProtocolMismatchException.class)
                .hasMessageContaining(STATUS.name());
    }

    @Test
    void shouldCarryTextsAsUtf8() throws Exception {
        Random random = new Random(7);
        String[] parts = {"a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\ud83d\ude00", "\ud83d", "\ude00"};
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(6); j > 0; j--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
            ByteBuffer out = ByteBuffer.allocate(64);
            Wire.putText(out, text.toString());

            assertThat(Wire.textLength(text.toString()))
                    .isEqualTo(2 + utf8.length)
                    .isEqualTo(out.position());
            assertThat(Wire.getText(out.flip())).isEqualTo(new String(utf8, StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldRefuseALengthThatExceedsTheMessage() {
        ByteBuffer bytes =
                ByteBuffer.allocate(12).putLong(0).putInt(Integer.MAX_VALUE).flip();

        assertThatThrownBy(() -> new MapRequest(1, 2, 3, 4).decodeResponse(bytes))
                .isInstanceOf(ProtocolMismatchException.class);
    }

    @Test
    void shouldRefuseAPathThatClimbs() {
        ByteBuffer bytes = ByteBuffer.allocate(8)
                .putShort((short) 5)
                .put("/a/..".getBytes(StandardCharsets.UTF_8))
                .put((byte) 0)
                .flip();

        assertThatThrownBy(() -> Operation.LOOKUP.decodeRequest(bytes)).isInstanceOf(InvalidPathException.class);
    }

    @Test
    void shouldRefuseAnOperationThatDoesNotExist() {
        assertThatThrownBy(() -> Operation.ofNumber(99))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("99");
        assertThatThrownBy(() -> Operation.ofNumber(-1)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void shouldCarryAnErrorWithItsMessage() {
        ByteBuffer bytes = encode(ResponseFrame.failure(3, new InvalidPathException("größe")));

        assertThat(bytes.getLong()).isEqualTo(3);
        int status = bytes.getShort();
        assertThat(ResponseFrame.decodeError(status, bytes))
                .isInstanceOf(InvalidPathException.class)
                .hasMessage("größe");
    }

    private static ByteBuffer encode(Encodable message) {
        ByteBuffer bytes = ByteBuffer.allocate(message.encodedLength());
        message.encode(bytes);
        assertThat(bytes.hasRemaining()).isFalse();
        return bytes.flip();
    }

    private static CrailPath path(String text) {
        try {
            return CrailPath.parse(text);
        } catch (InvalidPathException e) {
            throw new AssertionError(e);
        }
    }
}
