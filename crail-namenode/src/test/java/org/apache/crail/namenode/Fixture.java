/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.Region;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.namenode.block.BlockSelection;
import org.apache.crail.namenode.block.RegistrationLimits;
import org.apache.crail.rpc.message.ChangeRequest;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.MoveResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.StatusRequest;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A service in process, with short calls for tests. As thread safe as the service. */
final class Fixture {
    static final int BLOCK = 4096;
    static final int PART = 1024;
    static final int CLASSES = 3;
    static final long EXPIRATION_MS = 10_000;
    static final long DATANODE_TIMEOUT_MS = 16_000;
    static final long FORGET_MS = 3_600_000;
    static final int PARENT = -1;
    static final Ownership ROOT = new Ownership("boss", "staff", 0777);

    final ManualClock clock;
    final NameNodeService service;

    Fixture() {
        this(BlockSelection.ROUNDROBIN, new ManualClock());
    }

    Fixture(BlockSelection selection, ManualClock clock) {
        this(selection, clock, 0);
    }

    Fixture(RegistrationLimits limits) {
        this(BlockSelection.ROUNDROBIN, new ManualClock(), 0, limits);
    }

    private Fixture(BlockSelection selection, ManualClock clock, int smallBlockBytes) {
        this(selection, clock, smallBlockBytes, RegistrationLimits.of(10_000, 10_000, 10_000, 0, 0));
    }

    private Fixture(BlockSelection selection, ManualClock clock, int smallBlockBytes, RegistrationLimits limits) {
        this(selection, clock, smallBlockBytes, limits, List.of());
    }

    private Fixture(
            BlockSelection selection,
            ManualClock clock,
            int smallBlockBytes,
            RegistrationLimits limits,
            List<String> evicted) {
        this.clock = clock;
        service = new NameNodeService(
                new NamenodeSettings(
                        "test",
                        7,
                        BLOCK,
                        smallBlockBytes,
                        CLASSES,
                        0,
                        ROOT,
                        EXPIRATION_MS * 1_000_000,
                        DATANODE_TIMEOUT_MS * 1_000_000,
                        FORGET_MS * 1_000_000,
                        limits,
                        selection,
                        evicted),
                clock);
    }

    /** A service with one datanode of class 0. */
    static Fixture withBlocks(int blocks) throws CrailException {
        Fixture fixture = new Fixture();
        fixture.register(datanode("dn", 0, 0), 1, blocks);
        return fixture;
    }

    /** A service with one datanode, which removes nodes of top-level directories when it is nearly full. */
    static Fixture evicting(int blocks, int smallBlockBytes, String... evicted) throws CrailException {
        Fixture fixture = new Fixture(
                BlockSelection.ROUNDROBIN,
                new ManualClock(),
                smallBlockBytes,
                RegistrationLimits.of(10_000, 10_000, 10_000, 0, 0),
                List.of(evicted));
        fixture.register(datanode("dn", 0, 0), 1, blocks);
        return fixture;
    }

    /** A service with one datanode, in whose blocks small values share. */
    static Fixture withSharedBlocks(int blocks) throws CrailException {
        return withSharedBlocks(blocks, PART);
    }

    static Fixture withSharedBlocks(int blocks, int partBytes) throws CrailException {
        Fixture fixture = new Fixture(BlockSelection.ROUNDROBIN, new ManualClock(), partBytes);
        fixture.register(datanode("dn", 0, 0), 1, blocks);
        return fixture;
    }

    static DataNodeInfo datanode(String host, int storageClass, int locationClass) {
        return new DataNodeInfo(0, storageClass, locationClass, host, 50020);
    }

    long register(DataNodeInfo datanode, long incarnation, int blocks) throws CrailException {
        return register(datanode, incarnation, new Region(0, 0, (long) blocks * BLOCK, 1));
    }

    long register(DataNodeInfo datanode, long incarnation, Region... regions) throws CrailException {
        return service.register(new RegisterRequest(datanode, incarnation, List.of(regions)))
                .blocks();
    }

    long heartbeat(DataNodeInfo datanode, long incarnation) throws CrailException {
        return service.heartbeat(new HeartbeatRequest(datanode, incarnation)).freeBlocks();
    }

    /** Lets a datanode sign off. */
    void stop(DataNodeInfo datanode, long incarnation) throws CrailException {
        service.heartbeat(new HeartbeatRequest(datanode, incarnation, true));
    }

    CreateResponse create(String path, CrailNodeType type) throws CrailException {
        return create(path, type, PARENT, PARENT, true);
    }

    CreateResponse create(String path, CrailNodeType type, int storageClass, int locationClass, boolean enumerable)
            throws CrailException {
        return service.create(new CreateRequest(CrailPath.parse(path), type, storageClass, locationClass, enumerable));
    }

    CreateResponse mkdir(String path) throws CrailException {
        return create(path, CrailNodeType.DIRECTORY);
    }

    CreateResponse file(String path) throws CrailException {
        return create(path, CrailNodeType.DATAFILE);
    }

    CreateResponse hiddenFile(String path) throws CrailException {
        return create(path, CrailNodeType.DATAFILE, PARENT, PARENT, false);
    }

    CreateResponse table(String path) throws CrailException {
        return create(path, CrailNodeType.TABLE);
    }

    CreateResponse put(String path) throws CrailException {
        return create(path, CrailNodeType.KEYVALUE);
    }

    CreateResponse hiddenPut(String path) throws CrailException {
        return create(path, CrailNodeType.KEYVALUE, PARENT, PARENT, false);
    }

    CreateResponse replaceFile(String path, Ownership ownership) throws CrailException {
        return service.create(new CreateRequest(
                CrailPath.parse(path),
                CrailNodeType.DATAFILE,
                PARENT,
                PARENT,
                true,
                true,
                ownership,
                CreateRequest.INHERITED));
    }

    NodeStatus status(String path) throws CrailException {
        return service.status(new StatusRequest(CrailPath.parse(path))).status();
    }

    NodeStatus change(String path, StatusChange change) throws CrailException {
        return service.change(new ChangeRequest(CrailPath.parse(path), change)).status();
    }

    LookupResponse find(String path) throws CrailException {
        return service.lookup(new LookupRequest(CrailPath.parse(path), false));
    }

    FileInfo info(String path) throws CrailException {
        return find(path).file();
    }

    long open(String path) throws CrailException {
        return service.lookup(new LookupRequest(CrailPath.parse(path), true))
                .file()
                .getToken();
    }

    RemoveResponse remove(String path, boolean recursive) throws CrailException {
        return service.remove(new RemoveRequest(CrailPath.parse(path), recursive));
    }

    MoveResponse move(String from, String to) throws CrailException {
        return move(from, to, MoveMode.INTO);
    }

    MoveResponse move(String from, String to, MoveMode mode) throws CrailException {
        return service.move(new MoveRequest(CrailPath.parse(from), CrailPath.parse(to), mode));
    }

    List<BlockInfo> read(long fd, long position, int count) throws CrailException {
        return map(fd, 0, position, count);
    }

    List<BlockInfo> map(long fd, long token, long position, int count) throws CrailException {
        return service.map(new MapRequest(fd, token, position, count)).blocks();
    }

    /** Allocates all blocks up to a size. */
    List<BlockInfo> extend(FileInfo file, int blocks) throws CrailException {
        return map(file.getFd(), file.getToken(), 0, blocks);
    }

    long sync(FileInfo file, long capacity) throws CrailException {
        return sync(file.getFd(), file.getToken(), capacity, End.NONE);
    }

    long close(FileInfo file, long capacity) throws CrailException {
        return sync(file.getFd(), file.getToken(), capacity, End.CLOSED);
    }

    /** Closes a file as its creator does who has written nothing. */
    long closeUntouched(FileInfo file, long capacity) throws CrailException {
        return sync(file.getFd(), file.getToken(), capacity, End.UNTOUCHED);
    }

    long sync(long fd, long token, long capacity, End end) throws CrailException {
        return service.sync(new SyncRequest(fd, token, capacity, end)).capacity();
    }

    List<String> children(String path, int pageSize) throws CrailException {
        return statuses(path, pageSize).stream().map(NodeStatus::name).toList();
    }

    /** The children with all that is known of them, page by page. */
    List<NodeStatus> statuses(String path, int pageSize) throws CrailException {
        List<NodeStatus> children = new ArrayList<>();
        ChildrenPage page;
        do {
            String after =
                    children.isEmpty() ? "" : children.get(children.size() - 1).name();
            page = page(path, after, pageSize);
            children.addAll(page.children());
        } while (!page.isLast());
        return children;
    }

    /** Checks which children a container lists, those that are enumerable, and that it counts just these. */
    void assertListed(String path, String... names) throws CrailException {
        List<String> listed = statuses(path, 2).stream()
                .filter(child -> child.file().isEnumerable())
                .map(NodeStatus::name)
                .toList();
        assertThat(listed).containsExactlyInAnyOrder(names);
        assertThat(info(path).children()).isEqualTo(names.length);
    }

    ChildrenPage page(String path, String after, int size) throws CrailException {
        return service.children(new ChildrenRequest(CrailPath.parse(path), after, size))
                .page();
    }

    DatanodeReport reportOf(DataNodeInfo datanode) throws CrailException {
        return service.report(new ReportRequest()).datanodes().stream()
                .filter(report -> report.datanode().equals(datanode))
                .findFirst()
                .orElseThrow();
    }

    /** Lets time pass in which the namenode runs: it looks at its datanodes as often as it has to. */
    void pass(long ms) {
        long stepMs = DATANODE_TIMEOUT_MS / 8;
        for (long leftMs = ms; leftMs > 0; leftMs -= stepMs) {
            clock.advanceMs(Math.min(leftMs, stepMs));
            service.reclaim();
        }
    }

    /** Checks the conservation of blocks and what else {@code check} knows. */
    CheckResponse check() throws CrailException {
        CheckResponse check = service.check(new CheckRequest());
        assertThat(check.problems()).isEmpty();
        assertThat(check.free() + check.allocated() + check.pending()).isEqualTo(check.registered());
        return check;
    }

    /** Lets enough time pass for reclamation, with the datanodes alive. */
    void reclaimAll(DataNodeInfo... alive) throws CrailException {
        clock.advanceMs(EXPIRATION_MS);
        for (DataNodeInfo datanode : alive) {
            heartbeat(datanode, 1);
        }
        service.reclaim();
    }

    static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(CrailException.class, e -> assertThat(e.code())
                .as(e.getMessage())
                .isEqualTo(code));
    }
}
