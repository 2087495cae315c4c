/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.namenode.tree.TreeCheck;
import org.apache.crail.namenode.tree.Writers;
import org.apache.crail.rpc.message.ChangeRequest;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.ForgetRequest;
import org.apache.crail.rpc.message.ForgetResponse;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.HeartbeatResponse;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.MoveResponse;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RegisterResponse;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.message.StatusRequest;
import org.apache.crail.rpc.message.StatusResponse;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncResponse;
import org.apache.crail.rpc.server.MetadataService;

/**
 * The namenode's service: one namespace behind one lock. Readers look without taking it and look again under it if a
 * change came in between; changes exclude each other and are short. One check may go on at a time. All methods are
 * thread safe.
 */
public class NameNodeService implements MetadataService {
    private static final int NODES_PER_STEP = 1024;
    private static final int WRITERS_PER_STEP = 64;
    private static final int BLOCKS_PER_STEP = 4096;
    private static final int CHECKED_PER_STEP = 4096;
    private static final long MAX_RECLAIM_NS = 20_000_000;

    private final StampedLock lock = new StampedLock();
    private volatile Consumer<Throwable> doubtListener = reason -> {};
    private volatile boolean inDoubt;
    private volatile boolean memoryShort;
    private final OperationCounters counters = new OperationCounters();
    private final Namespace namespace;
    private final NodeCreation creation;
    private final NodeWriting writing;
    private final NodeRemoval removal;
    private final NodeMove move;
    private final NodeMapping mapping;
    private final StatusChanges changes;
    private final Listing listing;
    private final Inspection inspection;
    private final DatanodeRequests datanodes;

    /** Makes a service with an empty tree and no datanodes. */
    public NameNodeService(NamenodeSettings settings, NamenodeClock clock) {
        namespace = new Namespace(settings, clock);
        creation = new NodeCreation(namespace);
        writing = new NodeWriting(namespace);
        removal = new NodeRemoval(namespace);
        move = new NodeMove(namespace);
        mapping = new NodeMapping(namespace);
        changes = new StatusChanges(namespace);
        listing = new Listing(namespace);
        inspection = new Inspection(namespace);
        datanodes = new DatanodeRequests(namespace);
    }

    /** All that is guarded by the lock; for tests that damage it. */
    final Namespace namespace() {
        return namespace;
    }

    /** How often each operation was asked for. */
    public final OperationCounters counters() {
        return counters;
    }

    /**
     * Sets who is told, once and under the lock, that an Error came out of a change: it may be half done, and what is
     * known of nodes and blocks wrong. No further change is made after that.
     */
    public final void onDoubt(Consumer<Throwable> listener) {
        doubtListener = listener;
    }

    /** Says whether creations are to be refused, as there is hardly any memory left. */
    public final void memoryShort(boolean isShort) {
        memoryShort = isShort;
    }

    /**
     * Does what is due: watches datanodes, removes nodes whose time is over, evicts others, gives blocks back and takes
     * removed containers apart; to be called now and then.
     */
    public final void reclaim() {
        long beginNs = namespace.clock().nanoTime();
        boolean more = reclaimStep();
        while (more && namespace.clock().nanoTime() - beginNs < MAX_RECLAIM_NS) {
            more = reclaimStep();
        }
    }

    private boolean reclaimStep() {
        long stamp = lock.writeLock();
        try {
            if (inDoubt) {
                return false;
            }
            long nowNs = namespace.clock().nanoTime();
            namespace.blocks().tellLiveness(nowNs);
            namespace.replaced().forgetDue(NODES_PER_STEP, nowNs);
            boolean more = writing.endLost(WRITERS_PER_STEP, nowNs);
            more |= namespace.lifetimes().removeDue(NODES_PER_STEP, nowNs);
            namespace.removed().takeApart(NODES_PER_STEP, nowNs);
            int freed = namespace.blocks().reclaimDue(nowNs, BLOCKS_PER_STEP);
            more |= namespace.eviction().keepReserve(NODES_PER_STEP, nowNs);
            return more || freed == BLOCKS_PER_STEP || !namespace.removed().isEmpty();
        } catch (Error e) {
            doubt(e);
            throw e;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    @Override
    public HelloResponse cluster() {
        return inspection.cluster();
    }

    @Override
    public CreateResponse create(CreateRequest request) throws CrailException {
        if (memoryShort) {
            throw new BufferExhaustedException(
                    "cannot create " + request.path() + ": the namenode's heap is fuller than "
                            + CrailKeys.NAMENODE_HEAP_LIMIT
                            + " allows; delete what is not needed, or give the namenode more (-Xmx in"
                            + " CRAIL_NAMENODE_JAVA_OPTIONS)");
        }
        return change(Operation.CREATE, () -> creation.create(request));
    }

    @Override
    public LookupResponse lookup(LookupRequest request) throws CrailException {
        return request.writable()
                ? change(Operation.LOOKUP, () -> writing.open(request.path()))
                : look(Operation.LOOKUP, () -> namespace.descriptions().lookup(request.path()));
    }

    @Override
    public SyncResponse sync(SyncRequest request) throws CrailException {
        return change(Operation.SYNC, () -> writing.sync(request));
    }

    @Override
    public RemoveResponse remove(RemoveRequest request) throws CrailException {
        return change(Operation.REMOVE, () -> removal.remove(request));
    }

    @Override
    public MoveResponse move(MoveRequest request) throws CrailException {
        return change(Operation.MOVE, () -> move.move(request));
    }

    @Override
    public MapResponse map(MapRequest request) throws CrailException {
        return request.token() == Writers.NONE
                ? look(Operation.MAP, () -> mapping.map(request))
                : change(Operation.MAP, () -> mapping.extend(request));
    }

    @Override
    public MapResponse locate(LocateRequest request) throws CrailException {
        return look(Operation.LOCATE, () -> mapping.locate(request));
    }

    @Override
    public RegisterResponse register(RegisterRequest request) throws CrailException {
        return change(Operation.REGISTER, () -> datanodes.register(request));
    }

    /** Takes no lock, so that no datanode falls silent because others hold it. */
    @Override
    public HeartbeatResponse heartbeat(HeartbeatRequest request) throws CrailException {
        counters.count(Operation.HEARTBEAT);
        return datanodes.heartbeat(request);
    }

    @Override
    public ForgetResponse forget(ForgetRequest request) throws CrailException {
        return change(Operation.FORGET, () -> datanodes.forget(request));
    }

    @Override
    public ChildrenResponse children(ChildrenRequest request) throws CrailException {
        return scan(Operation.CHILDREN, () -> listing.children(request));
    }

    @Override
    public StatusResponse status(StatusRequest request) throws CrailException {
        return look(Operation.STATUS, () -> namespace.descriptions().status(request.path()));
    }

    @Override
    public StatusResponse change(ChangeRequest request) throws CrailException {
        return change(Operation.CHANGE, () -> changes.change(request));
    }

    @Override
    public ReportResponse report(ReportRequest request) throws CrailException {
        return scan(Operation.REPORT, () -> inspection.report(request));
    }

    @Override
    public CheckResponse check(CheckRequest request) throws CrailException {
        return check(CHECKED_PER_STEP, () -> {});
    }

    /**
     * Checks in steps.
     *
     * @param perStep how many nodes and blocks are looked at while others wait
     * @param betweenSteps called when they need not
     */
    final CheckResponse check(int perStep, Runnable betweenSteps) throws CrailException {
        counters.count(Operation.CHECK);
        TreeCheck check = alone(inspection::beginCheck);
        try {
            while (read(() -> check.step(perStep))) {
                betweenSteps.run();
            }
        } finally {
            alone(() -> {
                check.end();
                return check;
            });
        }
        return Inspection.answer(check);
    }

    /** The one place that all changes pass; whoever keeps a log of changes keeps it here, inside the lock. */
    private <R> R change(Operation operation, Work<R> work) throws CrailException {
        counters.count(operation);
        long stamp = lock.writeLock();
        try {
            if (inDoubt) {
                throw new InternalErrorException("the namenode makes no changes any more, as one failed half done ("
                        + operation + " was asked for); restart it, its log says why");
            }
            return work.run();
        } catch (Error e) {
            doubt(e);
            throw e;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** With the lock held for writing. */
    private void doubt(Error reason) {
        if (!inDoubt) {
            inDoubt = true;
            doubtListener.accept(reason);
        }
    }

    /** For short reads, written so that they survive the sight of a change half done. */
    private <R> R look(Operation operation, Work<R> work) throws CrailException {
        long stamp = lock.tryOptimisticRead();
        if (stamp != 0) {
            try {
                R result = work.run();
                if (lock.validate(stamp)) {
                    counters.count(operation);
                    return result;
                }
            } catch (CrailException | RuntimeException e) {
                // without a valid stamp the failure may come from a change half done
                if (lock.validate(stamp)) {
                    counters.count(operation);
                    throw e;
                }
            }
        }
        return scan(operation, work);
    }

    /** For reads that must not see a change half done. */
    private <R> R scan(Operation operation, Work<R> work) throws CrailException {
        counters.count(operation);
        return read(work);
    }

    private <R> R read(Work<R> work) throws CrailException {
        long stamp = lock.readLock();
        try {
            return work.run();
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /** For what changes nothing of the namespace, but must be alone. */
    private <R> R alone(Work<R> work) throws CrailException {
        long stamp = lock.writeLock();
        try {
            return work.run();
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Part of an operation that runs under the lock. */
    @FunctionalInterface
    private interface Work<R> {
        R run() throws CrailException;
    }
}
