/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.error.CrailException;
import org.apache.crail.namenode.NameNodeService;
import org.apache.crail.namenode.NamenodeClock;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.HeartbeatResponse;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.RegisterRequest;
import org.apache.crail.rpc.message.RegisterResponse;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.network.Network;

/** A namenode, and whether it keeps its promises to datanodes. Confined to its scheduler. */
final class WatchedNamenode extends NameNodeService {
    private static final List<Operation> CHANGES = List.of(
            Operation.CREATE,
            Operation.LOOKUP, // which may take the token
            Operation.SYNC,
            Operation.REMOVE,
            Operation.MOVE,
            Operation.MAP,
            Operation.REGISTER,
            Operation.FORGET);

    /** Most of them do nothing. */
    private static final int RECLAIMS_PER_CHECK = 10;

    private final NamenodeClock clock;
    private final long silenceNs;
    private final Network network;
    private final History history;
    private final Map<String, Life> lives = new HashMap<>();
    private long reclaims;
    private long checkedChanges = -1;
    private long counted;

    WatchedNamenode(NamenodeSettings settings, NamenodeClock clock, Network network, History history) {
        super(settings, clock);
        this.clock = clock;
        this.silenceNs = settings.datanodeTimeoutNs();
        this.network = network;
        this.history = history;
    }

    /** The life of a datanode that has its address. */
    private record Life(long incarnation, long heardNs, boolean hasStopped) {}

    void reclaimDue() {
        reclaims++;
        reclaim();
    }

    @Override
    public RegisterResponse register(RegisterRequest request) throws CrailException {
        String identity = request.datanode().identity();
        List<String> before = known();
        RegisterResponse response = super.register(request);
        boolean isQuestion = request.regions().isEmpty() || request.epochLimit() < response.epochLimit();
        if (!isQuestion) {
            taken(identity, request.incarnation());
        } else if (!before.equals(known())) {
            history.broken(Promise.ONE_DATANODE, "a registration of nothing for " + identity + " changed " + before);
        }
        return response;
    }

    private List<String> known() throws CrailException {
        return report(new ReportRequest(0)).datanodes().stream()
                .map(WatchedNamenode::text)
                .toList();
    }

    private static String text(DatanodeReport report) {
        return report.datanode() + " " + report.live() + " " + report.blocks();
    }

    private void taken(String identity, long incarnation) {
        Life life = lives.get(identity);
        if (life != null && life.incarnation > incarnation) {
            history.broken(Promise.ONE_DATANODE, identity + ": an older life was taken for " + life);
        }
        boolean isOther = life != null && life.incarnation != incarnation;
        if (isOther && !life.hasStopped && clock.nanoTime() - life.heardNs < silenceNs) {
            history.broken(Promise.ONE_DATANODE, identity + ": another life was taken though " + life + " lives");
        }
        lives.put(identity, new Life(incarnation, clock.nanoTime(), false));
    }

    @Override
    public HeartbeatResponse heartbeat(HeartbeatRequest request) throws CrailException {
        HeartbeatResponse response = super.heartbeat(request);
        lives.put(request.datanode().identity(), new Life(request.incarnation(), clock.nanoTime(), request.last()));
        return response;
    }

    /** Whether nodes hold so many blocks that a few may not be had. */
    boolean isFull() throws CrailException {
        CheckResponse check = check(new CheckRequest());
        return check.registered() > 0 && check.free() < 2 * Settings.MOST_BLOCKS_OF_LAST_LOOK;
    }

    /** Counts all blocks, if anything may have changed since the last time. */
    void checkBlocks() {
        long changes = changes();
        if (changes == checkedChanges) {
            return;
        }
        checkedChanges = changes;
        try {
            CheckResponse check = check(new CheckRequest());
            long sum = check.free() + check.allocated() + check.pending();
            if (sum != check.registered() || !check.problems().isEmpty()) {
                history.broken(Promise.CONSERVATION, check.toString());
            }
            countEvicted();
        } catch (CrailException e) {
            history.broken(Promise.CONSERVATION, e.toString());
        }
    }

    private void countEvicted() throws CrailException {
        long evicted = report(new ReportRequest(0)).evicted();
        if (counted < evicted) {
            history.add("  " + (evicted - counted) + " evicted");
        }
        for (; counted < evicted; counted++) {
            network.count("node evicted");
        }
    }

    private long changes() {
        return CHANGES.stream().mapToLong(counters()::of).sum() + reclaims / RECLAIMS_PER_CHECK;
    }
}
